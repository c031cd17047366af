-- As a superuser, once, on the server. The passwords are yours to choose; `\password rowhouse_owner` in psql keeps them out of
-- the server's log. docs/operations/database.md says what each login is for.
create role rowhouse_owner login password 'change-me';
create role rowhouse_service login connection limit 200 password 'change-me';
create database rowhouse owner rowhouse_owner;

-- What a session of the service begins with, as far as it differs from the defaults of PostgreSQL or is often changed. Through a
-- pooler the service cannot set it itself, and refuses to start without.
alter role rowhouse_service set timezone = 'UTC';
alter role rowhouse_service set datestyle = 'ISO, MDY';
alter role rowhouse_service set intervalstyle = 'iso_8601';
alter role rowhouse_service set extra_float_digits = 1;
alter role rowhouse_service set jit = off;
alter role rowhouse_service set statement_timeout = '10s';
alter role rowhouse_service set idle_in_transaction_session_timeout = '60s';
