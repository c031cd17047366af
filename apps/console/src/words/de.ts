import { common } from "./de/common.ts";
import { signInArea } from "./de/sign-in.ts";
import type { shell as english } from "./en/shell.ts";
import type { StartWords } from "./words.ts";

/** The texts of the palette and of the list of shortcuts in German. */
const shell: typeof english = {
  palette: {
    title: "Öffnen oder ausführen",
    open: "Suchen",
    placeholder: "Tabelle, Seite oder Aktion eingeben",
    results: "Ergebnisse",
    found: "{count, plural, =0 {Kein Ergebnis} one {# Ergebnis} other {# Ergebnisse}}",
    nothing: "Nichts passt. Versuchen Sie es mit weniger Buchstaben.",
    here: "Auf dieser Seite",
    readings: "Dashboards und DataViews",
    tables: "Tabellen und Sichten",
    pages: "Seiten",
    actions: "Aktionen",
    theme: "Farben: {name}",
    density: "Zeilen: {name}",
    language: "Sprache: {name}",
    singleKeysOn: "Tastenkürzel aus einer Taste einschalten",
    singleKeysOff: "Tastenkürzel aus einer Taste ausschalten",
  },
  shortcuts: {
    title: "Tastenkürzel",
    close: "Schließen",
    everywhere: "Überall",
    palette: "Alles durchsuchen",
    list: "Diese Tastenkürzel anzeigen",
    singleKeys: "Tastenkürzel aus einer Taste",
    singleKeysHint:
      "Schalten Sie sie aus, wenn Sie diktieren oder versehentlich Tasten drücken. Tastenkürzel mit Strg oder ⌘ gelten weiter.",
  },
  keys: {
    Ctrl: "Strg",
    Alt: "Alt",
    Shift: "Umschalt",
    Enter: "Eingabe",
    Escape: "Esc",
    Space: "Leertaste",
    Delete: "Entf",
    Backspace: "Rücktaste",
  },
  renewal: {
    title: "Ihre Sitzung ist beendet",
    text: "Melden Sie sich wieder an, um fortzufahren. Was Sie eingegeben haben, bleibt.",
    email: "E-Mail",
    password: "Passwort",
    show: "Passwort anzeigen",
    hide: "Passwort verbergen",
    submit: "Fortfahren",
    through: "Mit {name} in einem neuen Tab fortfahren",
    signOut: "Stattdessen abmelden",
    stranger:
      "{other} hat sich angemeldet, diese Seite ist aber für {email} offen. Melden Sie sich als {email} an, oder beginnen Sie von vorn.",
    startOver: "Als die andere Person von vorn beginnen",
  },
  checklist: {
    title: "Erste Schritte",
    hide: "Ausblenden",
    done: "erledigt",
    openTokens: "Ihre Zugriffstokens öffnen",
    openReference: "API-Referenz: {section}",
    table: {
      title: "Eine erste Tabelle",
      text: "Legen Sie eine an und geben Sie sie frei, oder starten Sie mit npm start -- --sample neu, um den Beispielfuhrpark zu laden.",
      section: "Tabellen und Ressourcen",
    },
    role: {
      title: "Eine erste Rolle",
      text: "Rollen enthalten Rechte an Tabellen.",
      section: "Rollen und Rechte",
    },
    person: {
      title: "Eine erste Person",
      text: "Laden Sie jemanden per Mail ein, mit einer Rolle.",
      section: "Einladungen",
    },
    token: { title: "Ein erstes Token", text: "Ein Programm ruft damit die API auf." },
  },
};

/** The texts of the sign-in and of every page in German. */
export const de: StartWords = {
  product: "Rowhouse",
  ...common,
  ...shell,
  ...signInArea,
};
