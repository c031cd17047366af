import type { signInArea as english } from "../en/sign-in.ts";

/** The texts of the sign-in pages in German. */
export const signInArea: typeof english = {
  signIn: {
    title: "Anmelden",
    email: "E-Mail",
    password: "Passwort",
    show: "Passwort anzeigen",
    hide: "Passwort verbergen",
    forgot: "Passwort vergessen?",
    keep: "Auf diesem Gerät angemeldet bleiben",
    submit: "Anmelden",
    or: "oder",
    through: "Weiter mit {name}",
    new: "Noch kein Konto?",
    register: "Konto anlegen",
    back: "Zurück zur Anmeldung",
    done: {
      reset: "Ihr neues Passwort gilt. Melden Sie sich damit an.",
      verified: "Ihre E-Mail-Adresse ist bestätigt.",
    },
  },
  password: {
    label: "Passwort",
    show: "Passwort anzeigen",
    hide: "Passwort verbergen",
    rule: "{min} bis {max} Zeichen. Einige Wörter ohne Zusammenhang merkt man sich leicht.",
    more: "{left, plural, one {Noch # Zeichen} other {Noch # Zeichen}}",
    good: "Dieses Passwort ist möglich.",
    LENGTH: "Verwenden Sie {min} bis {max} Zeichen.",
    COMMON: "Dieses Passwort ist zu verbreitet. Angreifer versuchen es zuerst.",
    OWN_WORDS: "Verwenden Sie mehr als Ihren Namen, Ihre Adresse oder den Namen dieses Produkts.",
  },
  register: {
    title: "Konto anlegen",
    name: "Name",
    email: "E-Mail",
    submit: "Konto anlegen",
    closed: "Hier gibt es Konten nur auf Einladung.",
    sentTitle: "Sehen Sie in Ihre Mails",
    sentText: "Wir haben eine Mail an {email} gesendet. Öffnen Sie den Link darin.",
  },
  forgot: {
    title: "Passwort vergessen?",
    text: "Geben Sie Ihre E-Mail-Adresse ein, um einen Link für ein neues zu erhalten.",
    email: "E-Mail",
    submit: "Link senden",
    sentTitle: "Sehen Sie in Ihre Mails",
    sentText:
      "Gibt es ein Konto mit der Adresse {email}, ist eine Mail mit einem Link unterwegs. Der Link gilt 15 Minuten.",
  },
  reset: {
    title: "Neues Passwort setzen",
    text: "Das beendet Ihre Sitzungen auf allen Geräten.",
    submit: "Passwort setzen",
  },
  verify: {
    doneTitle: "Adresse bestätigt",
    done: "Die Adresse gehört zu Ihrem Konto. Melden Sie sich ab jetzt mit ihr an.",
    continue: "Arbeitsbereich öffnen",
    title: "E-Mail-Adresse bestätigen",
    text: "Einmal drücken, und die Adresse gehört zu Ihrem Konto.",
    submit: "Adresse bestätigen",
    resend: "Link erneut senden",
    sent: "Gibt es ein Konto mit dieser Adresse, ist ein neuer Link unterwegs.",
  },
  invitation: {
    title: "Einladung annehmen",
    text: "Wählen Sie ein Passwort, und Ihr Konto ist bereit.",
    name: "Name",
    nameHint: "Leer lassen, um den Namen der Einladung zu behalten.",
    submit: "Konto anlegen und anmelden",
  },
  linkFailure: {
    title: "Dieser Link gilt nicht",
    reset:
      "Er ist ungültig, abgelaufen oder schon benutzt. Links für ein neues Passwort gelten 15 Minuten.",
    verify:
      "Er ist ungültig, abgelaufen oder schon benutzt. Melden Sie sich an, um einen neuen zu erhalten.",
    invitation:
      "Er ist ungültig, abgelaufen oder schon benutzt. Bitten Sie um eine neue Einladung.",
    again: "Neuen Link anfordern",
  },
  complete: {
    title: "Sie werden angemeldet",
    waiting: "Einen Moment.",
    failed: "Die Anmeldung ist fehlgeschlagen",
    linkedTitle: "Konto verbunden",
    linked: "Ab jetzt können Sie sich auch mit diesem Konto anmelden.",
    continue: "Arbeitsbereich öffnen",
    expired:
      "Diese Anmeldung hat zu lange gedauert oder begann in einem anderen Browser. Beginnen Sie von vorn.",
    unknown_provider: "Diese Installation hat keinen solchen Anbieter. Melden Sie sich anders an.",
    provider_failed:
      "Der Anbieter hat nicht bestätigt, wer Sie sind. Versuchen Sie es erneut, oder melden Sie sich anders an.",
    canceledTitle: "Anmeldung abgebrochen",
    canceled: "Sie haben die Anmeldung beim Anbieter abgebrochen.",
    unverified:
      "Der Anbieter bestätigt Ihre E-Mail-Adresse nicht. Bitten Sie Ihre Administration um eine Einladung, melden Sie sich damit an, und verbinden Sie den Anbieter in Ihrem Konto.",
    not_allowed:
      "Dieses Konto darf sich hier nicht anmelden. Bitten Sie Ihre Administration um eine Einladung.",
    account_exists:
      "Es gibt ein Konto mit dieser Adresse. Melden Sie sich mit dessen Passwort an, und verbinden Sie dann den Anbieter.",
    rate_limited: "Zu viele Versuche. Warten Sie eine Minute, und versuchen Sie es erneut.",
    unavailable:
      "Der Dienst oder der Anbieter ist nicht erreichbar. Versuchen Sie es in einem Moment erneut.",
  },
  trial: {
    title: "Die Anmeldung wird probiert",
    waiting: "Einen Moment.",
    works: "Die Anmeldung funktioniert",
    user: "Sie hat {name} ({email}) angemeldet.",
    ended: "Die Sitzung dieser Probe ist beendet. Sie sind angemeldet wie zuvor.",
    back: "Zurück zu den Anbietern",
  },
  consent: {
    title: "Zugriff erlauben?",
    loading: "Die Anfrage wird gelesen",
    wants: "möchte den MCP-Server dieser Installation in Ihrem Namen verwenden.",
    publishedBy: "Das Programm ist beschrieben bei",
    unproven: "Niemand hat diesen Namen geprüft",
    unprovenText: "Das Programm hat sich selbst angemeldet, mit einem Namen seiner Wahl.",
    leadsTo: "Ihre Antwort geht an",
    loopback: "Ein Programm auf diesem Gerät",
    person: "Im Namen von",
    otherAccount: "Anderes Konto verwenden",
    may: "Es darf",
    scopes: {
      read: "Zeilen lesen",
      write: "Zeilen anlegen, ändern und löschen",
      workflows: "Workflows starten",
    },
    scopeTexts: {
      read: "Die, die Sie lesen dürfen.",
      write: "Soweit Sie es dürfen, und soweit diese Installation es Programmen erlaubt.",
      workflows: "Die, die als Werkzeug angeboten sind und die Sie aufrufen dürfen.",
    },
    notOffered: "Das Programm bittet nicht darum, oder diese Installation erlaubt es keinem.",
    never:
      "Ihr Konto, die Verwaltung und SQL erreicht es nie. Ein Text in einer Zeile kann ein Programm irreführen, das ihn liest: Erlauben Sie nur, was es braucht.",
    name: "Name dieses Zugriffs",
    nameHint:
      "Unter diesem Namen steht er bei Ihren Tokens. Dort können Sie ihn jederzeit beenden.",
    nameFault: "1 bis 100 Zeichen.",
    nameTaken: "Eines Ihrer Tokens hat diesen Namen.",
    days: "Endet nach",
    dayCount: "{count, plural, one {# Tag} other {# Tagen}}",
    allow: "Erlauben",
    deny: "Ablehnen",
    failed: "Diese Anfrage lässt sich nicht beantworten",
    failedText:
      "Nichts ist erlaubt. Schließen Sie diese Seite und beginnen Sie im Programm noch einmal. Hilft das nicht, liegt der Fehler im Programm, oder jemand hat Ihnen einen falschen Link geschickt.",
    twice: "Die Adresse nennt einen Parameter zweimal.",
    off: "In dieser Installation können Programme nicht um Zugriff bitten.",
    mayNot:
      "Ihre Rollen erlauben Ihnen keine Tokens, und damit auch keinen Zugriff für Programme. Das kann die Verwaltung ändern.",
    workspace: "Zur Übersicht",
    leaving: "Zurück zum Programm",
    leavingText: "Sie können diese Seite schließen, wenn das Programm übernommen hat.",
    open: "Das Programm noch einmal öffnen",
  },
};
