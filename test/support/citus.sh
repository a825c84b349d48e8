#!/usr/bin/env bash
# Citus on three nodes of this machine, for tests: a coordinator without shards, and two workers (docs/how-to/scaling.md).
#
#   bash test/support/citus.sh build    compiles and installs the extension for the PostgreSQL of pg_config; needs root
#   bash test/support/citus.sh start    makes and starts the nodes, and prints the variables of the tests
#   bash test/support/citus.sh stop     stops them and deletes their data
#
# On Debian: apt-get install postgresql-server-dev-15 libcurl4-openssl-dev liblz4-dev libzstd-dev libkrb5-dev libpam0g-dev libreadline-dev \
#   libicu-dev libselinux1-dev libxslt1-dev autoconf flex
set -euo pipefail

VERSION=${CITUS_VERSION:-v13.2.2}
# A folder with the sources instead of the tag of the project's repository.
SOURCE=${CITUS_SOURCE:-}
NODES=${CITUS_NODES:-/tmp/citus-nodes}
PORT=${CITUS_PORT:-7432}
BIN=$(pg_config --bindir)

# PostgreSQL refuses to run as root.
as_server() {
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

build() {
  local folder
  folder=$(mktemp -d)
  if [ -n "$SOURCE" ]; then cp -r "$SOURCE/." "$folder"
  else git clone --quiet --depth 1 --branch "$VERSION" https://github.com/citusdata/citus.git "$folder"; fi
  cd "$folder"
  # The last releases of PostgreSQL 15 have a function of this name.
  if [[ $(pg_config --version) == 'PostgreSQL 15.'* ]]; then
    grep -rl have_createdb_privilege src | xargs sed -i 's/\bhave_createdb_privilege\b/citus_have_createdb_privilege/g'
  fi
  ./configure --quiet
  make --quiet -j"$(nproc)" extension
  make --quiet install-extension
  rm -rf "$folder"
}

start() {
  mkdir -p "$NODES"
  if [ "$(id -u)" = 0 ]; then chown postgres "$NODES"; fi
  for node in 0 1 2; do
    as_server "$BIN/initdb" --pgdata "$NODES/$node" --username postgres --auth trust --encoding UTF8 --no-locale --no-sync > /dev/null
    as_server tee --append "$NODES/$node/postgresql.conf" > /dev/null <<CONF
shared_preload_libraries = 'citus'
listen_addresses = '127.0.0.1'
port = $((PORT + node))
unix_socket_directories = ''
max_connections = 400
max_prepared_transactions = 400
wal_level = logical
fsync = off
CONF
    as_server "$BIN/pg_ctl" --pgdata "$NODES/$node" --log "$NODES/$node.log" --wait --silent start
  done
  echo "export TEST_CITUS_URL=postgres://postgres@127.0.0.1:$PORT/postgres"
  echo "export TEST_CITUS_WORKERS=127.0.0.1:$((PORT + 1)),127.0.0.1:$((PORT + 2))"
}

stop() {
  for node in 0 1 2; do as_server "$BIN/pg_ctl" --pgdata "$NODES/$node" --silent --mode immediate stop || true; done
  rm -rf "$NODES"
}

case ${1:-} in
  build | start | stop) "$1" ;;
  *) sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
