import type { tokens as english } from "../en/tokens.ts";

/** The texts of the tokens of everybody in German. */
export const tokens: typeof english = {
  text: "Programme verwenden Tokens statt einer Sitzung. Ein Dienstkonto ist ein Benutzer ohne Passwort.",
  new: "Neues Token",
  search: "Tokens und Besitzer suchen",
  empty: "Noch keine Tokens.",
  emptyText: "Mit einem Token arbeitet ein Programm im Namen einer Person oder eines Dienstkontos.",
  soonText:
    "Aktive Tokens, die in {count, plural, one {# Tag} other {# Tagen}} ablaufen; das ist die Einstellung api_keys.rotation_warning_days.",
  owner: "Besitzer",
  ownerHint: "Eine Person oder ein Dienstkonto, nach Name oder Adresse.",
  ownerFault: "Wählen Sie den Besitzer.",
  ownerInactive: "Besitzer inaktiv: abgewiesen",
  nameTaken: "Ein anderes Token dieses Besitzers hat diesen Namen.",
  planeFault: {
    api: "Der Besitzer ist inaktiv oder hat keine Rolle mit API-Zugriff. Geben Sie ihm zuerst eine Rolle.",
    admin: "Nur das Token eines aktiven Administrators darf verwalten.",
  },
  rights: "Ein Token darf, was die Rollen seines Besitzers erlauben, aber sein Konto nicht ändern.",
  editTitle: "{name} bearbeiten",
  changed:
    "Jemand anderes hat dies inzwischen geändert. Es ist jetzt: {name}, „{text}“. Ihre Eingaben bleiben; speichern Sie noch einmal, um es zu ersetzen.",
  use: "Entstanden durch",
  ofPrograms: "Einwilligung für ein Programm",
  created: "Anlegen von Hand",
};
