-- The region in which a person reads dates and numbers, beside the language. Null leaves both to the language.
alter table system.users add column region text
  constraint users_region_check check (region ~ '^(?:[A-Z]{2}|[0-9]{3})$');

create or replace trigger users_guarded before update on system.users for each row
  when ((old.id, old.email, old.name, old.active, old.is_system, old.email_verified_at, old.password_hash, old.time_zone,
         old.language, old.region)
    is distinct from (new.id, new.email, new.name, new.active, new.is_system, new.email_verified_at, new.password_hash,
                      new.time_zone, new.language, new.region))
  execute function system.guard_users();
alter table system.users enable always trigger users_guarded;

create or replace trigger users_prepared before update of email, name, active, time_zone, language, region on system.users
  for each row execute function system.prepare_user();
alter table system.users enable always trigger users_prepared;
