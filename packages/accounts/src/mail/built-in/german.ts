import type { MailKey } from "../mail-kinds.ts";
import type { MailTexts } from "../render-template.ts";

/** The German templates that the service ships; a test compares them with those that migrations insert. */
export const germanTemplates: Readonly<Record<MailKey, MailTexts>> = {
  "auth.reset": {
    subject: "Neues Passwort setzen",
    text: `Hallo {{ name }},

jemand, hoffentlich Sie, hat für {{ email }} ein neues Passwort angefordert. Setzen Sie es innerhalb von {{ minutes }} Minuten:

{{ link }}

Der Link gilt einmal. Wenn Sie es nicht waren, tun Sie nichts: Ihr Passwort bleibt, wie es ist.
`,
    html: `<p>Hallo {{ name }},</p>
<p>jemand, hoffentlich Sie, hat für {{ email }} ein neues Passwort angefordert. <a href="{{ link }}">Setzen Sie es</a> innerhalb von {{ minutes }} Minuten.</p>
<p>Der Link gilt einmal. Wenn Sie es nicht waren, tun Sie nichts: Ihr Passwort bleibt, wie es ist.</p>
`,
  },
  "auth.verify": {
    subject: "Bestätigen Sie Ihre E-Mail-Adresse",
    text: `Hallo {{ name }},

bestätigen Sie innerhalb von {{ hours }} Stunden, dass {{ email }} Ihre Adresse ist:

{{ link }}
`,
    html: `<p>Hallo {{ name }},</p>
<p><a href="{{ link }}">Bestätigen Sie</a> innerhalb von {{ hours }} Stunden, dass {{ email }} Ihre Adresse ist.</p>
`,
  },
  "auth.registered": {
    subject: "Sie haben schon ein Konto",
    text: `Hallo {{ name }},

jemand, hoffentlich Sie, wollte {{ email }} registrieren, aber dafür gibt es schon ein Konto. Sie können sich anmelden oder ein neues Passwort setzen:

{{ link }}
`,
    html: `<p>Hallo {{ name }},</p>
<p>jemand, hoffentlich Sie, wollte {{ email }} registrieren, aber dafür gibt es schon ein Konto. Sie können sich anmelden oder <a href="{{ link }}">ein neues Passwort setzen</a>.</p>
`,
  },
  "auth.invite": {
    subject: "{{ inviter }} lädt Sie zu {{ site }} ein",
    text: `Hallo {{ name }},

{{ inviter }} lädt Sie zu {{ site }} ein ({{ roles }}). Nehmen Sie innerhalb von {{ hours }} Stunden an und wählen Sie ein Passwort:

{{ link }}
`,
    html: `<p>Hallo {{ name }},</p>
<p>{{ inviter }} lädt Sie zu {{ site }} ein ({{ roles }}). <a href="{{ link }}">Nehmen Sie an</a>, innerhalb von {{ hours }} Stunden, und wählen Sie ein Passwort.</p>
`,
  },
  "auth.email_change": {
    subject: "Bestätigen Sie Ihre neue E-Mail-Adresse",
    text: `Hallo {{ name }},

bestätigen Sie innerhalb von {{ hours }} Stunden, dass {{ email }} Ihre Adresse ist. Von da an melden Sie sich mit ihr an:

{{ link }}

Wenn Sie es nicht waren, tun Sie nichts.
`,
    html: `<p>Hallo {{ name }},</p>
<p><a href="{{ link }}">Bestätigen Sie</a> innerhalb von {{ hours }} Stunden, dass {{ email }} Ihre Adresse ist. Von da an melden Sie sich mit ihr an.</p>
<p>Wenn Sie es nicht waren, tun Sie nichts.</p>
`,
  },
  "auth.email_changed": {
    subject: "Ihre E-Mail-Adresse wurde geändert",
    text: `Hallo {{ name }},

Ihr Konto hat jetzt eine andere Adresse: {{ new_email }}. Mit {{ email }} können Sie sich nicht mehr anmelden.

Wenn Sie es nicht waren, sagen Sie es sofort einem Administrator.
`,
    html: `<p>Hallo {{ name }},</p>
<p>Ihr Konto hat jetzt eine andere Adresse: {{ new_email }}. Mit {{ email }} können Sie sich nicht mehr anmelden.</p>
<p>Wenn Sie es nicht waren, sagen Sie es sofort einem Administrator.</p>
`,
  },
  "auth.email_taken": {
    subject: "Diese Adresse hat schon ein Konto",
    text: `Hallo {{ name }},

jemand wollte {{ email }} für ein anderes Konto verwenden, aber die Adresse gehört schon zu diesem. Es wurde nichts geändert.
`,
    html: `<p>Hallo {{ name }},</p>
<p>jemand wollte {{ email }} für ein anderes Konto verwenden, aber die Adresse gehört schon zu diesem. Es wurde nichts geändert.</p>
`,
  },
  "auth.new_administrator": {
    subject: "Es gibt einen neuen Administrator",
    text: `Hallo {{ name }},

diese Konten sind jetzt Administratoren:

{{ administrators }}

Ein Administrator kann alles lesen und ändern. Das Audit-Log zeigt, wer sie zu Administratoren gemacht hat. Wenn Sie das
nicht erwarten, entfernen Sie sie aus der Rolle Administrators, und widerrufen Sie das Token, das dafür benutzt wurde.
`,
    html: `<p>Hallo {{ name }},</p>
<p>diese Konten sind jetzt Administratoren:</p>
<p>{{ administrators }}</p>
<p>Ein Administrator kann alles lesen und ändern. Das Audit-Log zeigt, wer sie zu Administratoren gemacht hat. Wenn Sie das nicht erwarten, entfernen Sie sie aus der Rolle Administrators, und widerrufen Sie das Token, das dafür benutzt wurde.</p>
`,
  },
  "workflow.failures": {
    subject:
      "{% if count == 1 %}Ein Workflow-Lauf ist fehlgeschlagen{% else %}{{ count }} Workflow-Läufe sind fehlgeschlagen{% endif %}",
    text: `Hallo {{ name }},

{% if count == 1 %}ein Lauf eines Workflows, den Sie beobachten, ist fehlgeschlagen:{% else %}{{ count }} Läufe von Workflows, die Sie beobachten, sind fehlgeschlagen:{% endif %}

{{ failures }}

Die nächste Mail kommt frühestens nach {{ minutes }} Minuten. Sie bekommen diese Mails, weil Sie die Workflows beobachten; jeder Administrator
kann das auf deren Seiten beenden.
`,
    html: `<p>Hallo {{ name }},</p>
<p>{% if count == 1 %}ein Lauf eines Workflows, den Sie beobachten, ist fehlgeschlagen:{% else %}{{ count }} Läufe von Workflows, die Sie beobachten, sind fehlgeschlagen:{% endif %}</p>
<p style="white-space: pre-line">{{ failures }}</p>
<p>Die nächste Mail kommt frühestens nach {{ minutes }} Minuten. Sie bekommen diese Mails, weil Sie die Workflows beobachten; jeder Administrator kann das auf deren Seiten beenden.</p>
`,
  },
};
