-- The link that the first start prints signs its administrator in by a code of no provider.
alter table system.sign_in_codes
  alter column provider_key drop not null,
  alter column account_id drop not null,
  add constraint sign_in_codes_provider_check check ((provider_key is null) = (account_id is null));
