-- The mail of an invitation names who invites to what. A text that was changed stays as it is.
update system.templates set subject = '{{ inviter }} invites you to {{ site }}', text = 'Hello {{ name }},

{{ inviter }} invites you to {{ site }} ({{ roles }}). Accept within {{ hours }} hours and choose a password:

{{ link }}
', html = '<p>Hello {{ name }},</p>
<p>{{ inviter }} invites you to {{ site }} ({{ roles }}). <a href="{{ link }}">Accept</a> within {{ hours }} hours and choose a password.</p>
'
  where kind = 'MAIL' and key = 'auth.invite' and language = 'en'
    and (subject, text, html) = ('You are invited', 'Hello {{ name }},

you are invited to join. Accept within {{ hours }} hours and choose a password:

{{ link }}
', '<p>Hello {{ name }},</p>
<p>you are invited to join. <a href="{{ link }}">Accept</a> within {{ hours }} hours and choose a password.</p>
');

update system.templates set subject = '{{ inviter }} lädt Sie zu {{ site }} ein', text = 'Hallo {{ name }},

{{ inviter }} lädt Sie zu {{ site }} ein ({{ roles }}). Nehmen Sie innerhalb von {{ hours }} Stunden an und wählen Sie ein Passwort:

{{ link }}
', html = '<p>Hallo {{ name }},</p>
<p>{{ inviter }} lädt Sie zu {{ site }} ein ({{ roles }}). <a href="{{ link }}">Nehmen Sie an</a>, innerhalb von {{ hours }} Stunden, und wählen Sie ein Passwort.</p>
'
  where kind = 'MAIL' and key = 'auth.invite' and language = 'de'
    and (subject, text, html) = ('Sie sind eingeladen', 'Hallo {{ name }},

Sie sind eingeladen. Nehmen Sie innerhalb von {{ hours }} Stunden an und wählen Sie ein Passwort:

{{ link }}
', '<p>Hallo {{ name }},</p>
<p>Sie sind eingeladen. <a href="{{ link }}">Nehmen Sie an</a>, innerhalb von {{ hours }} Stunden, und wählen Sie ein Passwort.</p>
');
