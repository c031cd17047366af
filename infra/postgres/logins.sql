-- Run once as a superuser, on the server. Choose the passwords; `\password rowhouse_owner` in psql keeps them out of the
-- server's log. docs/operations/database.md explains each login.
create role rowhouse_owner login password 'change-me';
create role rowhouse_service login connection limit 200 password 'change-me';
create database rowhouse owner rowhouse_owner;
