# A bot in one Python file. docs/run-a-referee.md says how to build and run it; `make wheels` fills wheels/ in the
# build context, beside which the file lies: --build-arg BOT=momentum.py
# Any base with Python 3.11, its venv, and glibc will do: --build-arg BASE_IMAGE=...
ARG BASE_IMAGE=python:3.11.13-slim-bookworm

FROM ${BASE_IMAGE} AS build
COPY wheels /wheels
RUN python3 -m venv /opt/tradepit \
    && /opt/tradepit/bin/python -m pip install --no-cache-dir --no-index --find-links /wheels tradepit

FROM ${BASE_IMAGE}
ARG BOT=bot.py
COPY --from=build /opt/tradepit /opt/tradepit
COPY ${BOT} /bot/bot.py
# Nobody on the host. TRADEPIT_REFEREE and TRADEPIT_TOKEN say where the bot plays and as whom.
USER 10001:10001
ENTRYPOINT ["/opt/tradepit/bin/python", "/bot/bot.py"]
