#!/bin/sh
# Creates the logins and the database on the first start of the server of compose.yaml, with the passwords of the three
# addresses.
set -eu
as_superuser() {
  psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres "$@"
}

# Returns the password of an address.
password_of() {
  written=${2#*://*:}
  written=${written%%@*}
  case $written in
    '' | *[!A-Za-z0-9._~-]*)
      echo "The password in $1 must consist of letters, digits and . _ ~ - only. Remove the volume, then start again." >&2
      exit 1
      ;;
  esac
  printf '%s' "$written"
}
owner=$(password_of MIGRATIONS_DATABASE_URL "$MIGRATIONS_DATABASE_URL")
service=$(password_of DATABASE_URL "$DATABASE_URL")
system=$(password_of SYSTEM_DATABASE_URL "$SYSTEM_DATABASE_URL")

as_superuser --file="${LOGINS_SQL:-/rowhouse/logins.sql}"
as_superuser <<SQL
alter role rowhouse_owner password '$owner';
alter role rowhouse_service password '$service';
alter role rowhouse_system password '$system';
SQL
