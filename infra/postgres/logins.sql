-- Run once as a superuser, on a new server. Choose the passwords; `\password rowhouse_owner` in psql keeps them out of the
-- server's log. docs/operations/database.md explains each login.
create role rowhouse_owner login noinherit connection limit 20 password 'change-me';
create role rowhouse_service login connection limit 200 password 'change-me';
create role rowhouse_system login connection limit 200 password 'change-me';
-- The owner creates a function that belongs to rowhouse_service, and the schema of the queue. It inherits no rights of either.
grant rowhouse_service, rowhouse_system to rowhouse_owner;
create database rowhouse owner rowhouse_owner;
