# A referee. docs/run-a-referee.md says how to build and run it; `make wheels` fills wheels/ in the build context.
# Any base with Python 3.11, its venv, and glibc will do: --build-arg BASE_IMAGE=...
ARG BASE_IMAGE=python:3.11.13-slim-bookworm

FROM ${BASE_IMAGE} AS build
COPY wheels /wheels
RUN python3 -m venv /opt/tradepit \
    && /opt/tradepit/bin/python -m pip install --no-cache-dir --no-index --find-links /wheels "tradepit[server]"

FROM ${BASE_IMAGE}
COPY --from=build /opt/tradepit /opt/tradepit
# Nobody on the host. It must be able to read what is mounted on /etc/tradepit.
USER 10001:10001
EXPOSE 7070
ENTRYPOINT ["/opt/tradepit/bin/tradepit", "referee"]
CMD ["--tokens", "/etc/tradepit/tokens.txt", "--listen", "0.0.0.0:7070", \
     "--cert", "/etc/tradepit/cert.pem", "--key", "/etc/tradepit/key.pem"]
