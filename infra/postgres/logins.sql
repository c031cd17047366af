-- Run once as a superuser, on a new server. Choose the passwords; `\password rowhouse_owner` in psql keeps them out of the
-- server's log. docs/operations/database.md explains each login.
create role rowhouse_owner login connection limit 20 password 'change-me';
create role rowhouse_service login connection limit 200 password 'change-me';
create role rowhouse_system login connection limit 200 password 'change-me';
-- Owns the functions of the triggers that record changes of rows.
create role rowhouse_service_recorder;
-- The owner creates what belongs to the others: a function, those of the triggers, and the schema of the queue.
grant rowhouse_service, rowhouse_system, rowhouse_service_recorder to rowhouse_owner;
create database rowhouse owner rowhouse_owner;
