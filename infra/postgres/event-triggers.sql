-- Run as a superuser, in the service's database, after its first start. With these triggers a change of the catalogue raises a
-- counter. Without them (only a superuser may create them) each statement compares fingerprints of its tables.
create event trigger rowhouse_after_ddl on ddl_command_end execute function system.after_ddl();
create event trigger rowhouse_after_drop on sql_drop execute function system.after_drop();
-- Also in a session with session_replication_role = replica.
alter event trigger rowhouse_after_ddl enable always;
alter event trigger rowhouse_after_drop enable always;
