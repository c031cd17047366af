-- The link that the first start prints signs its administrator in by a code of no provider: both columns are null then.
alter table system.sign_in_codes
  alter column provider_key drop not null,
  alter column account_id drop not null;
