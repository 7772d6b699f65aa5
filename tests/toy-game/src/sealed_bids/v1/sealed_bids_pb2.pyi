from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Observation(_message.Message):
    __slots__ = ("public", "private")
    PUBLIC_FIELD_NUMBER: _ClassVar[int]
    PRIVATE_FIELD_NUMBER: _ClassVar[int]
    public: PublicState
    private: PrivateState
    def __init__(self, public: _Optional[_Union[PublicState, _Mapping]] = ..., private: _Optional[_Union[PrivateState, _Mapping]] = ...) -> None: ...

class PublicState(_message.Message):
    __slots__ = ("lots", "value", "coins", "auctions")
    LOTS_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    COINS_FIELD_NUMBER: _ClassVar[int]
    AUCTIONS_FIELD_NUMBER: _ClassVar[int]
    lots: int
    value: int
    coins: _containers.RepeatedScalarFieldContainer[int]
    auctions: _containers.RepeatedCompositeFieldContainer[Auction]
    def __init__(self, lots: _Optional[int] = ..., value: _Optional[int] = ..., coins: _Optional[_Iterable[int]] = ..., auctions: _Optional[_Iterable[_Union[Auction, _Mapping]]] = ...) -> None: ...

class Auction(_message.Message):
    __slots__ = ("value", "bids")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    BIDS_FIELD_NUMBER: _ClassVar[int]
    value: int
    bids: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, value: _Optional[int] = ..., bids: _Optional[_Iterable[int]] = ...) -> None: ...

class PrivateState(_message.Message):
    __slots__ = ("seat", "tip_lot", "tip_value")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TIP_LOT_FIELD_NUMBER: _ClassVar[int]
    TIP_VALUE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    tip_lot: int
    tip_value: int
    def __init__(self, seat: _Optional[int] = ..., tip_lot: _Optional[int] = ..., tip_value: _Optional[int] = ...) -> None: ...

class Bid(_message.Message):
    __slots__ = ("coins",)
    COINS_FIELD_NUMBER: _ClassVar[int]
    coins: int
    def __init__(self, coins: _Optional[int] = ...) -> None: ...
