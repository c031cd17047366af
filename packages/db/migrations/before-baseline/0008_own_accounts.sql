-- What people change of their own account: their address, their language, and the accounts elsewhere that sign them in.

-- Linked accounts are listed and unlinked one by one.
alter table system.provider_accounts add column id uuid not null default gen_random_uuid() unique;
-- A code of a finished sign-in goes with the link that it came by. What waits now lives a minute at most.
delete from system.sign_in_codes;
alter table system.sign_in_codes
  add column account_id uuid not null references system.provider_accounts (id) on delete cascade;
create index sign_in_codes_account on system.sign_in_codes (account_id);

-- A link that, opened by whoever has the new address, makes it the account's.
alter table system.links drop constraint links_kind_check;
alter table system.links
  add column new_email text check (length(new_email) between 3 and 320),
  add constraint links_kind_check check (kind in ('RESET', 'VERIFY', 'CHANGE')),
  add constraint links_new_email check ((kind = 'CHANGE') = (new_email is not null));

update system.users set language = null where language !~ '^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$';
alter table system.users
  add constraint users_language_check check (language ~ '^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$');

insert into system.templates (key, language, subject, text, html) values
('auth.email_change', 'en', 'Confirm your new email address',
$$Hello {{ name }},

confirm within {{ hours }} hours that {{ email }} is your address. From then on you sign in with it:

{{ link }}

If it was not you, do nothing.
$$,
$$<p>Hello {{ name }},</p>
<p><a href="{{ link }}">Confirm</a> within {{ hours }} hours that {{ email }} is your address. From then on you sign in with it.</p>
<p>If it was not you, do nothing.</p>
$$),
('auth.email_changed', 'en', 'Your email address was changed',
$$Hello {{ name }},

your account has another address now: {{ new_email }}. You cannot sign in with {{ email }} any more.

If it was not you, tell an administrator at once.
$$,
$$<p>Hello {{ name }},</p>
<p>your account has another address now: {{ new_email }}. You cannot sign in with {{ email }} any more.</p>
<p>If it was not you, tell an administrator at once.</p>
$$),
('auth.email_taken', 'en', 'This address has an account already',
$$Hello {{ name }},

somebody wanted to use {{ email }} for another account, but it has this one already. Nothing was changed.
$$,
$$<p>Hello {{ name }},</p>
<p>somebody wanted to use {{ email }} for another account, but it has this one already. Nothing was changed.</p>
$$);

-- The mails in German.
insert into system.templates (key, language, subject, text, html) values
('auth.reset', 'de', 'Neues Passwort setzen',
$$Hallo {{ name }},

jemand, hoffentlich Sie, hat für {{ email }} ein neues Passwort angefordert. Setzen Sie es innerhalb von {{ minutes }} Minuten:

{{ link }}

Der Link gilt einmal. Wenn Sie es nicht waren, tun Sie nichts: Ihr Passwort bleibt, wie es ist.
$$,
$$<p>Hallo {{ name }},</p>
<p>jemand, hoffentlich Sie, hat für {{ email }} ein neues Passwort angefordert. <a href="{{ link }}">Setzen Sie es</a> innerhalb von {{ minutes }} Minuten.</p>
<p>Der Link gilt einmal. Wenn Sie es nicht waren, tun Sie nichts: Ihr Passwort bleibt, wie es ist.</p>
$$),
('auth.verify', 'de', 'Bestätigen Sie Ihre E-Mail-Adresse',
$$Hallo {{ name }},

bestätigen Sie innerhalb von {{ hours }} Stunden, dass {{ email }} Ihre Adresse ist:

{{ link }}
$$,
$$<p>Hallo {{ name }},</p>
<p><a href="{{ link }}">Bestätigen Sie</a> innerhalb von {{ hours }} Stunden, dass {{ email }} Ihre Adresse ist.</p>
$$),
('auth.registered', 'de', 'Sie haben schon ein Konto',
$$Hallo {{ name }},

jemand, hoffentlich Sie, wollte {{ email }} registrieren, aber dafür gibt es schon ein Konto. Sie können sich anmelden oder ein neues Passwort setzen:

{{ link }}
$$,
$$<p>Hallo {{ name }},</p>
<p>jemand, hoffentlich Sie, wollte {{ email }} registrieren, aber dafür gibt es schon ein Konto. Sie können sich anmelden oder <a href="{{ link }}">ein neues Passwort setzen</a>.</p>
$$),
('auth.invite', 'de', 'Sie sind eingeladen',
$$Hallo {{ name }},

Sie sind eingeladen. Nehmen Sie innerhalb von {{ hours }} Stunden an und wählen Sie ein Passwort:

{{ link }}
$$,
$$<p>Hallo {{ name }},</p>
<p>Sie sind eingeladen. <a href="{{ link }}">Nehmen Sie an</a>, innerhalb von {{ hours }} Stunden, und wählen Sie ein Passwort.</p>
$$),
('auth.email_change', 'de', 'Bestätigen Sie Ihre neue E-Mail-Adresse',
$$Hallo {{ name }},

bestätigen Sie innerhalb von {{ hours }} Stunden, dass {{ email }} Ihre Adresse ist. Von da an melden Sie sich mit ihr an:

{{ link }}

Wenn Sie es nicht waren, tun Sie nichts.
$$,
$$<p>Hallo {{ name }},</p>
<p><a href="{{ link }}">Bestätigen Sie</a> innerhalb von {{ hours }} Stunden, dass {{ email }} Ihre Adresse ist. Von da an melden Sie sich mit ihr an.</p>
<p>Wenn Sie es nicht waren, tun Sie nichts.</p>
$$),
('auth.email_changed', 'de', 'Ihre E-Mail-Adresse wurde geändert',
$$Hallo {{ name }},

Ihr Konto hat jetzt eine andere Adresse: {{ new_email }}. Mit {{ email }} können Sie sich nicht mehr anmelden.

Wenn Sie es nicht waren, sagen Sie es sofort einem Administrator.
$$,
$$<p>Hallo {{ name }},</p>
<p>Ihr Konto hat jetzt eine andere Adresse: {{ new_email }}. Mit {{ email }} können Sie sich nicht mehr anmelden.</p>
<p>Wenn Sie es nicht waren, sagen Sie es sofort einem Administrator.</p>
$$),
('auth.email_taken', 'de', 'Diese Adresse hat schon ein Konto',
$$Hallo {{ name }},

jemand wollte {{ email }} für ein anderes Konto verwenden, aber die Adresse gehört schon zu diesem. Es wurde nichts geändert.
$$,
$$<p>Hallo {{ name }},</p>
<p>jemand wollte {{ email }} für ein anderes Konto verwenden, aber die Adresse gehört schon zu diesem. Es wurde nichts geändert.</p>
$$)
-- An installation may have its own already.
on conflict (key, language) do nothing;
