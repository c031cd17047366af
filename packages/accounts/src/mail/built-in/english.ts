import type { MailKey } from "../mail-kinds.ts";
import type { MailTexts } from "../render-template.ts";

/** The English templates that the service ships; a test compares them with those that migrations insert. */
export const englishTemplates: Readonly<Record<MailKey, MailTexts>> = {
  "auth.reset": {
    subject: "Set a new password",
    text: `Hello {{ name }},

somebody, we hope you, asked for a new password for {{ email }}. Set it here within {{ minutes }} minutes:

{{ link }}

The link works once. If it was not you, do nothing: your password stays as it is.
`,
    html: `<p>Hello {{ name }},</p>
<p>somebody, we hope you, asked for a new password for {{ email }}. <a href="{{ link }}">Set it</a> within {{ minutes }} minutes.</p>
<p>The link works once. If it was not you, do nothing: your password stays as it is.</p>
`,
  },
  "auth.verify": {
    subject: "Confirm your email address",
    text: `Hello {{ name }},

confirm that {{ email }} is your address within {{ hours }} hours:

{{ link }}
`,
    html: `<p>Hello {{ name }},</p>
<p><a href="{{ link }}">Confirm</a> that {{ email }} is your address within {{ hours }} hours.</p>
`,
  },
  "auth.registered": {
    subject: "You have an account already",
    text: `Hello {{ name }},

somebody, we hope you, tried to register {{ email }}, which has an account already. You can sign in, or set a new password:

{{ link }}
`,
    html: `<p>Hello {{ name }},</p>
<p>somebody, we hope you, tried to register {{ email }}, which has an account already. You can sign in, or <a href="{{ link }}">set a new password</a>.</p>
`,
  },
  "auth.invite": {
    subject: "{{ inviter }} invites you to {{ site }}",
    text: `Hello {{ name }},

{{ inviter }} invites you to {{ site }} ({{ roles }}). Accept within {{ hours }} hours and choose a password:

{{ link }}
`,
    html: `<p>Hello {{ name }},</p>
<p>{{ inviter }} invites you to {{ site }} ({{ roles }}). <a href="{{ link }}">Accept</a> within {{ hours }} hours and choose a password.</p>
`,
  },
  "auth.email_change": {
    subject: "Confirm your new email address",
    text: `Hello {{ name }},

confirm within {{ hours }} hours that {{ email }} is your address. From then on you sign in with it:

{{ link }}

If it was not you, do nothing.
`,
    html: `<p>Hello {{ name }},</p>
<p><a href="{{ link }}">Confirm</a> within {{ hours }} hours that {{ email }} is your address. From then on you sign in with it.</p>
<p>If it was not you, do nothing.</p>
`,
  },
  "auth.email_changed": {
    subject: "Your email address was changed",
    text: `Hello {{ name }},

your account has another address now: {{ new_email }}. You cannot sign in with {{ email }} any more.

If it was not you, tell an administrator at once.
`,
    html: `<p>Hello {{ name }},</p>
<p>your account has another address now: {{ new_email }}. You cannot sign in with {{ email }} any more.</p>
<p>If it was not you, tell an administrator at once.</p>
`,
  },
  "auth.email_taken": {
    subject: "This address has an account already",
    text: `Hello {{ name }},

somebody wanted to use {{ email }} for another account, but it has this one already. Nothing was changed.
`,
    html: `<p>Hello {{ name }},</p>
<p>somebody wanted to use {{ email }} for another account, but it has this one already. Nothing was changed.</p>
`,
  },
  "auth.new_administrator": {
    subject: "There is a new administrator",
    text: `Hello {{ name }},

these accounts have become administrators:

{{ administrators }}

An administrator can read and change everything. The audit log shows who made them administrators. If you do not expect
this, remove them from the role Administrators, and revoke the token that was used.
`,
    html: `<p>Hello {{ name }},</p>
<p>these accounts have become administrators:</p>
<p>{{ administrators }}</p>
<p>An administrator can read and change everything. The audit log shows who made them administrators. If you do not expect this, remove them from the role Administrators, and revoke the token that was used.</p>
`,
  },
  "workflow.failures": {
    subject:
      "{% if count == 1 %}A workflow run failed{% else %}{{ count }} workflow runs failed{% endif %}",
    text: `Hello {{ name }},

{% if count == 1 %}a run of a workflow that you watch has failed:{% else %}{{ count }} runs of workflows that you watch have failed:{% endif %}

{{ failures }}

The next mail follows after {{ minutes }} minutes at the earliest. You get these mails because you watch the workflows; any administrator
can end that on their pages.
`,
    html: `<p>Hello {{ name }},</p>
<p>{% if count == 1 %}a run of a workflow that you watch has failed:{% else %}{{ count }} runs of workflows that you watch have failed:{% endif %}</p>
<p style="white-space: pre-line">{{ failures }}</p>
<p>The next mail follows after {{ minutes }} minutes at the earliest. You get these mails because you watch the workflows; any administrator can end that on their pages.</p>
`,
  },
};
