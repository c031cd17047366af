-- Requests to sign-in providers reach public addresses alone, unless auth.provider_hosts names the host. The providers that an
-- installation has stay as they are: whether their hosts are public is not known here, and nobody is to be locked out.
insert into system.settings (key, value)
select 'auth.provider_hosts', jsonb_agg(host order by host)
from (
  select distinct substring(lower(issuer) from '^https?://([^/?#@]+)') as host
  from system.auth_providers where issuer not in ('https://accounts.google.com', 'https://github.com') limit 100
) hosts
where host is not null
having count(*) > 0
on conflict (key) do nothing;
