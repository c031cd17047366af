import type { roles as english } from "../en/roles.ts";

/** The texts of roles in German. */
export const roles: typeof english = {
  title: "Rollen",
  text: "Eine Rolle ist eine Menge von Berechtigungen mit Mitgliedern. Jemand darf, was alle seine Rollen zusammen erlauben.",
  new: "Neue Rolle",
  newText: "Die Rolle hat noch keine Mitglieder und keine Berechtigungen.",
  search: "Rollen suchen",
  empty: "Keine Rollen.",
  members: "Mitglieder",
  settings: "Name und Rechte",
  rights: "Rechte",
  everything: "Darf alles",
  access: "API-Zugriff",
  noAccess: "Kein API-Zugriff",
  tokens: "Eigene Tokens",
  apiAccess: "Mitglieder dürfen sich anmelden und die API benutzen",
  tokenCreation: "Mitglieder dürfen eigene Tokens anlegen",
  nameFault: "Verwenden Sie 1 bis 100 Zeichen.",
  nameTaken: "Eine andere Rolle hat diesen Namen.",
  descriptionFault: "Verwenden Sie höchstens 1000 Zeichen.",
  losesAccess:
    "{count, plural, one {Das Mitglied} other {Jedes der # Mitglieder}} ohne eine andere Rolle mit API-Zugriff ist mit der nächsten Anfrage abgemeldet.",
  changed:
    "Jemand anderes hat dies inzwischen geändert. Es ist jetzt: {name}, „{text}“. Ihre Eingaben bleiben; speichern Sie noch einmal, um es zu ersetzen.",
  addMember: "Person hinzufügen",
  searchMembers: "Mitglieder suchen",
  noMembers: "Noch keine Mitglieder.",
  noMembersText: "Suchen Sie oben eine Person nach Name oder Adresse, und fügen Sie sie hinzu.",
  since: "Mitglied seit",
  deleteTitle: "Rolle {name} löschen?",
  deleteConfirm: "Rolle löschen",
  deleteMembers:
    "{count, plural, =0 {Sie hat keine Mitglieder.} one {Ein Mitglied verliert, was sie erlaubt.} other {# Mitglieder verlieren, was sie erlaubt.}}",
  deleteGrants:
    "{count, plural, =0 {Sie hat keine Berechtigungen.} one {Eine Berechtigung wird mit ihr gelöscht.} other {# Berechtigungen werden mit ihr gelöscht.}}",
  deleteText:
    "Das gilt ab der nächsten Anfrage und lässt sich nicht zurücknehmen. Kein Konto wird gelöscht.",
};
