-- Run once as a superuser, on a server that has rowhouse_owner and rowhouse_service. Choose the password. Nothing changes for
-- processes that run (docs/operations/database.md#from-two-logins-to-three).
create role rowhouse_system login connection limit 200 password 'change-me';
-- The owner creates a function that belongs to rowhouse_service, and the schema of the queue. It inherits no rights of either.
alter role rowhouse_owner noinherit;
grant rowhouse_service, rowhouse_system to rowhouse_owner;
