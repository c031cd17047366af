-- As a superuser, in the service's database, after its first start: with these, a change of the catalogue is noticed by a
-- counter. Without them (only a superuser may make them) each statement compares fingerprints of its tables.
create event trigger rowhouse_after_ddl on ddl_command_end execute function system.after_ddl();
create event trigger rowhouse_after_drop on sql_drop execute function system.after_drop();
