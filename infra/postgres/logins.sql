-- Run once as a superuser, on the server. Choose the passwords; `\password rowhouse_owner` in psql keeps them out of the
-- server's log. docs/operations/database.md explains each login.
create role rowhouse_owner login password 'change-me';
create role rowhouse_service login connection limit 200 password 'change-me';
create database rowhouse owner rowhouse_owner;

-- Initial settings of the service's sessions that differ from the defaults of PostgreSQL or are often changed. Through a pooler
-- the service cannot set them itself, and does not start without them.
alter role rowhouse_service set timezone = 'UTC';
alter role rowhouse_service set datestyle = 'ISO, MDY';
alter role rowhouse_service set intervalstyle = 'iso_8601';
alter role rowhouse_service set extra_float_digits = 1;
alter role rowhouse_service set jit = off;
alter role rowhouse_service set statement_timeout = '10s';
alter role rowhouse_service set idle_in_transaction_session_timeout = '60s';
