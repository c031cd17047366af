import type * as english from "../../en/administration/mcp.ts";

/** The texts of the pages of the MCP server in German. */
export const mcp: typeof english.mcp = {
  title: "Agenten (MCP)",
  text: "Agenten arbeiten mit den Zeilen, die der Besitzer ihres Tokens sehen darf, und mit nichts anderem.",
  tabs: { setup: "Einrichtung", clients: "Clients", calls: "Aufrufe" },
  off: "Kein Agent kann sich verbinden",
  offText:
    "Der MCP-Server ist aus: Seine Adresse antwortet wie eine, die es nicht gibt. Ist er an, lesen Agenten, was die Rollen des Besitzers eines Tokens erlauben, und schreiben nichts, bis Sie auch das erlauben.",
  switchOn: "Zum Lesen einschalten",
  toSetup: "Zur Einrichtung",
  opens: "Was Agenten dürfen",
  opensText:
    "Die Rollen des Besitzers eines Tokens begrenzen jeden Aufruf. Diese Einstellungen begrenzen ihn weiter, für alle Agenten, ab ihrem nächsten Aufruf. Sie lassen sich nur mit einer Sitzung ändern.",
  allSettings: "Alle Einstellungen der Agenten",
  needs: "Wirkt erst, wenn {key} den Wert {value} hat.",
  switches: {
    enabled: {
      title: "Verbinden und lesen",
      text: "Agenten finden Tabellen, Sichten und Workflows, lesen Zeilen und fragen, warum eine Zeile verborgen ist, so wie es der Besitzer des Tokens könnte.",
    },
    access: {
      title: "Zeilen anlegen und ändern",
      text: "Agenten schreiben auch, soweit Berechtigungen es erlauben. Ein Agent, der einer Anweisung in einer Zeile folgt, kann dann andere Zeilen ändern.",
    },
    deletes: {
      title: "Zeilen löschen",
      text: "Löschungen lassen sich nicht zurücknehmen. Jeder Aufruf nennt seine Zeilen, oder die höchste Zahl von Zeilen, die er löschen darf.",
    },
    workflows: {
      title: "Workflows starten",
      text: "Veröffentlichte Workflows, die als Werkzeuge markiert sind, für Rollen mit dem Aufrufrecht. Ein Workflow, der Mails oder Anfragen sendet, ist ein Weg hinaus für das, was ein Agent gelesen hat.",
    },
    sql: {
      title: "SQL ausführen",
      text: "Für Tokens der Verwaltung, mit dem Login der SQL-Konsole. Berechtigungen begrenzen es nicht. Nie für Clients, die Personen mit OAuth verbunden haben.",
    },
    oauth: {
      title: "Personen verbinden Clients selbst",
      text: "Ein Client fragt seine Person auf einer Seite dieses Dienstes, die den Client nennt und was er darf. Die Zustimmung steht unter den Clients und lässt sich widerrufen.",
    },
    registration: {
      title: "Unbekannte Clients melden sich an",
      text: "Für Clients, die kein eigenes Dokument veröffentlichen. Jeder kann dann einen Client unter jedem Namen anmelden.",
    },
  },
  limits: {
    title: "Wovor das nicht schützt",
    injection:
      "Anweisungen in Zeilen: Ein Agent kann einem Text folgen, den jemand in eine Zeile geschrieben hat. Ergebnisse sind als Daten markiert, aber kein Server kann einen Agenten zwingen, das zu beachten.",
    wayOut:
      "Der Weg hinaus: Was ein Agent gelesen hat, kann er anderen Werkzeugen geben, die er hat. Hier sind Zeilen, die andere sehen, Workflows und SQL Wege hinaus. Alle drei sind zu, solange nur die erste Einstellung an ist.",
    owner:
      "Zu weite Rechte: Geben Sie einem Agenten das Token eines Kontos, dessen Rollen nur das erreichen, was er braucht.",
    records:
      "Jeder Aufruf steht unter „Aufrufe“, mit seiner Person und seinem Ausgang, ohne seine Werte.",
  },
  connect: {
    title: "Einen Agenten verbinden",
    byToken:
      "Legen Sie ein Token an, und fügen Sie dann den Text in den Client ein. Der Agent darf, was die Rollen des Besitzers erlauben.",
    byOAuth:
      "Fügen Sie den Text in den Client ein. Er öffnet eine Seite dieses Dienstes, die nach Ihrer Zustimmung fragt.",
    makeToken: "Neues Token",
    client: "Client",
    way: "Anmeldung",
    ways: { token: "Mit einem Token", oauth: "Mit Zustimmung (OAuth)" },
    secretShown:
      "Die Texte enthalten das Geheimnis Ihres neuen Tokens, bis Sie die Seite verlassen.",
    bridge:
      "Claude Desktop startet ein Programm aus einem Checkout von Rowhouse auf diesem Rechner: Ersetzen Sie /path/to/rowhouse durch dessen Pfad. Das Programm gibt jede Nachricht an diesen Dienst weiter.",
    address: "URL",
  },
  noClients: "Kein Client ist verbunden",
  noClientsText:
    "Ein Client, den eine Person mit OAuth verbindet, steht hier mit seinem Umfang und seiner letzten Verwendung. Agenten mit einem eigenen Token stehen unter den Tokens.",
  scopes: { read: "Liest", write: "Schreibt", workflows: "Startet Workflows" },
  document: "Bekannt durch sein Dokument:",
  registered: "Hat sich selbst angemeldet als",
  revoke: "Widerrufen",
  revokeTitle: "{name} widerrufen?",
  revokeText:
    "Der Client verliert seinen Zugriff mit dem nächsten Aufruf, endgültig. Seine Person kann ihn wieder verbinden.",
  noCalls: "Noch keine Aufrufe",
  noCallsText: "Aufrufe von Agenten erscheinen hier, sobald sie eintreffen.",
  live: "Live",
  pause: "Anhalten",
  follow: "Fortsetzen",
  call: "Aufruf",
  tool: "Werkzeug",
  resource: "Ressource",
  outcome: "Ausgang",
  outcomes: { SUCCEEDED: "Gelungen", REFUSED: "Abgelehnt", FAILED: "Fehlgeschlagen" },
  any: "Alle",
  person: "Person",
  deleted: "Gelöschtes Konto",
  client: "Client",
  audit: "Protokoll von {name}",
  rows: "Zeilen",
  bytes: "{count, plural, one {# Byte} other {# Bytes}}",
  duration: "Dauer",
  time: "Zeit",
  remove: "Filter {name} entfernen",
  filters: { userId: "Person", tokenId: "Token" },
};
