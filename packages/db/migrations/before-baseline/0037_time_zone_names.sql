-- A time zone is a name of IANA's that this server knows. Postgres also takes offsets and any text that ends with one, with the
-- sign reversed ('+05:00', 'UTC+5' and 'Any/Name5' lie west of Greenwich), and abbreviations without summer time. The form is
-- that of timeZoneForm in packages/settings.
create or replace function system.is_time_zone(name text) returns boolean
language plpgsql immutable as $$
begin
  if name is null then return null; end if;
  if name !~* '^(CET|CST6CDT|Cuba|EET|EST|EST5EDT|Egypt|Eire|GB|GB-Eire|GMT|GMT\+0|GMT-0|GMT0|Greenwich|HST|Hongkong|Iceland|Iran|Israel|Jamaica|Japan|Kwajalein|Libya|MET|MST|MST7MDT|NZ|NZ-CHAT|Navajo|PRC|PST8PDT|Poland|Portugal|ROC|ROK|Singapore|Turkey|UCT|UTC|Universal|W-SU|WET|Zulu|(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Europe|Indian|Mexico|Pacific|US)(/[A-Za-z_-]+){1,2}|Etc/(GMT(\+([0-9]|1[0-2])|-([0-9]|1[0-4])|0)?|Greenwich|UCT|UTC|Universal|Zulu))$' then return false; end if;
  perform timestamptz 'epoch' at time zone name;
  return true;
exception when others then
  return false;
end $$;

update system.users set time_zone = null
where time_zone is not null and not is_system and not system.is_time_zone(time_zone);
