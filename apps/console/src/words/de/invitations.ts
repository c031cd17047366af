import type { invitations as english } from "../en/invitations.ts";

/** The texts of invitations in German. */
export const invitations: typeof english = {
  text: "Eingeladene erhalten eine Mail mit einem Link, wählen ein Passwort und haben die Rollen der Einladung.",
  new: "Person einladen",
  search: "Einladungen suchen",
  empty: "Noch niemand wurde eingeladen.",
  emptyText: "Laden Sie eine Person über ihre Adresse ein. Nur die Mail enthält den Link.",
  nameHint: "Beim Annehmen kann die Person ihn ändern.",
  rolesHint: "Mindestens eine Rolle mit API-Zugriff.",
  rolesFault: "Wählen Sie mindestens eine Rolle mit API-Zugriff.",
  languageAny: "Englisch",
  newText:
    "Der Link gilt einmal, 72 Stunden lang. Eine neue Einladung an dieselbe Adresse ersetzt eine offene.",
  send: "Einladung senden",
  sentTitle: "Einladung angelegt",
  sent: "Die Mail an {email} ist unterwegs.",
  sentText:
    "Der Dienst übergibt sie dem Mailserver und wiederholt das, bis der Link abläuft. Weist der Mailserver sie endgültig ab, steht das in der Liste.",
  until: "Link gilt bis",
  states: { open: "Offen", accepted: "Angenommen", revoked: "Widerrufen", expired: "Abgelaufen" },
  mailRejected: "Mail nicht zugestellt",
  mailText: "Der Mailserver hat die Mail abgewiesen, oder der Link lief ab, bevor er sie annahm.",
  revoke: "Widerrufen",
  revokeOne: "Einladung von {email} widerrufen",
  revokeTitle: "Einladung von {email} widerrufen?",
  revokeConfirm: "Einladung widerrufen",
  revokeText:
    "Ihr Link gilt sofort nicht mehr. Eine Mail, die noch wartet, wird nicht gesendet. Sie können die Adresse wieder einladen.",
  usedMeanwhile:
    "Die Einladung wurde inzwischen angenommen oder widerrufen. Schließen Sie dies, und sehen Sie ihren Zustand an.",
};
