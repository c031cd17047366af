-- What belongs to other tools once an apply is committed, as its files say: patterns, and what each document names. A build
-- before this one reads the files alone.
alter table system.configuration_applies add column elsewhere json not null default '{"patterns": [], "documents": {}}'::json;
