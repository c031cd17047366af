-- Run once as a superuser, on a server that has rowhouse_owner and rowhouse_service. Choose the password. Nothing changes for
-- processes that run (docs/operations/database.md#from-two-logins-to-three).
create role rowhouse_system login connection limit 200 password 'change-me';
-- Owns the functions of the triggers that record changes of rows.
create role rowhouse_service_recorder;
-- The owner creates what belongs to the others: a function, those of the triggers, and the schema of the queue.
grant rowhouse_service, rowhouse_system, rowhouse_service_recorder to rowhouse_owner;
