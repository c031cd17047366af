-- The password hash of one person, for the statements that compare it: the login that serves may not read the column
-- (docs/operations/database.md). Volatile, so that it sees what another transaction has committed while the statement
-- waited for the row.
create function system.password_of(person uuid) returns text
language sql volatile security definer set search_path = pg_catalog, system as $$
  select password_hash from system.users where id = person
$$;
revoke execute on function system.password_of(uuid) from public;
