import type { settingNames as english } from "../../en/administration/setting-names.ts";

/** What each setting is called, and what it means, in German. */
export const settingNames: typeof english = {
  auth: {
    session_ttl_hours: {
      title: "Dauer einer Sitzung",
      text: "Ab der Anmeldung; Benutzung verlängert sie nicht.",
    },
    registration_enabled: {
      title: "Registrierung",
      text: "Personen können selbst ein Konto registrieren. Verlangt eine Rolle mit API-Zugriff.",
    },
    registration_role: {
      title: "Rolle registrierter Konten",
      text: "Die Rolle, die ein Konto bei der Registrierung bekommt; nie die der Verwaltung.",
    },
    require_email_verification: {
      title: "Bestätigte Adresse",
      text: "Die Anmeldung verlangt eine bestätigte E-Mail-Adresse.",
    },
    attempts_per_minute: {
      title: "Anmeldeversuche",
      text: "Von einer Adresse in einer Minute, über alle Prozesse.",
    },
    mails_per_minute: {
      title: "Anforderungen von Mails",
      text: "Von einer Adresse in einer Minute, etwa für ein neues Passwort.",
    },
    return_addresses: {
      title: "Adressen anderer Oberflächen",
      text: "Links in Mails und Anbieter dürfen zu ihnen führen: eine Adresse, oder eine mit /* am Ende für alles darunter.",
    },
    provider_hosts: {
      title: "Interne Anbieter",
      text: "Rechner mit nicht öffentlichen Adressen, die die Anmeldung aufrufen darf: ein Name, auch mit Port.",
    },
  },
  api_keys: {
    default_ttl_days: { title: "Dauer eines Tokens", text: "Gilt, wenn die Person keine wählt." },
    rotation_warning_days: {
      title: "Warnung vor dem Ablauf",
      text: "Ab dieser Zeit vor dem Ablauf ist ein Token gekennzeichnet.",
    },
    purge_after_days: {
      title: "Löschen alter Tokens",
      text: "Widerrufene und abgelaufene Tokens werden nach dieser Zeit gelöscht.",
    },
  },
  workflows: {
    max_sync_wait_ms: {
      title: "Längstes Warten eines Webhooks",
      text: "Ein Aufruf, der auf seinen Lauf wartet, erhält spätestens dann eine Antwort.",
    },
    run_retention_days: {
      title: "Aufbewahrung der Läufe",
      text: "Beendete Läufe werden nach dieser Zeit gelöscht.",
    },
    failure_mail_minutes: {
      title: "Pause zwischen Fehlermails",
      text: "Zwischen zwei Mails an eine Person über fehlgeschlagene Läufe.",
    },
    allowed_hosts: {
      title: "Interne Rechner",
      text: "Rechner mit nicht öffentlichen Adressen, die Workflows aufrufen dürfen: ein Name, auch mit Port.",
    },
    public_hosts: {
      title: "Öffentliche Rechner",
      text: "Die einzigen öffentlichen Rechner, die Workflows aufrufen dürfen: ein Name, auch mit Port, oder *.name für alle Subdomains. Ohne Einträge sind alle erlaubt.",
    },
  },
  system: {
    timezone: {
      title: "Zeitzone der Installation",
      text: "In der Tage für Personen ohne eigene Zeitzone beginnen und enden, etwa Europe/Berlin.",
    },
    public_url: { title: "Öffentliche Adresse", text: "Die Links in Mails beginnen damit." },
  },
  security: {
    cors_origins: {
      title: "Ursprünge anderer Seiten",
      text: "Deren Seiten dürfen die API im Browser aufrufen.",
    },
    trusted_proxies: {
      title: "Vertraute Proxys",
      text: "Deren X-Forwarded-For gilt: eine Adresse oder ein Netz.",
    },
    requests_per_minute: {
      title: "Anfragen je Minute",
      text: "Von einer Adresse; 0 für keine Grenze.",
    },
  },
  data: {
    default_limit: { title: "Zeilen einer Liste", text: "Wenn die Anfrage keine Grenze nennt." },
    max_limit: {
      title: "Höchstzahl der Zeilen",
      text: "Die höchste Grenze, die eine Anfrage nennen darf.",
    },
    max_filter_nodes: {
      title: "Teile eines Filters",
      text: "So viele Teile darf ein Filter haben.",
    },
    max_filter_depth: {
      title: "Ebenen eines Filters",
      text: "So viele Ebenen darf ein Filter haben.",
    },
    max_in_values: {
      title: "Werte einer Aufzählung",
      text: "So viele Werte darf eine Aufzählung in einem Filter haben.",
    },
    max_array_rows: {
      title: "Zeilen beim Anlegen",
      text: "So viele Zeilen darf eine Anfrage anlegen.",
    },
    max_affected: {
      title: "Zeilen einer Sammeländerung",
      text: "So viele Zeilen darf eine Anfrage höchstens zu ändern erlauben.",
    },
    max_relation_depth: {
      title: "Länge eines Pfads",
      text: "Über so viele Beziehungen darf ein Pfad führen.",
    },
    max_related_rows: {
      title: "Zeilen einer Unterliste",
      text: "Wenn die Anfrage keine Grenze nennt; die Antwort nennt Listen, die mehr haben.",
    },
    history_retention_days: {
      title: "Aufbewahrung des Verlaufs",
      text: "Frühere Stände von Zeilen werden nach dieser Zeit gelöscht.",
    },
    max_response_bytes: {
      title: "Größe einer Antwort",
      text: "Größere werden abgelehnt; ein Export hat keine solche Grenze.",
    },
    max_response_bytes_at_once: {
      title: "Speicher großer Antworten",
      text: "Zugleich in einem Prozess; weitere Antworten warten.",
    },
    share_statements: {
      title: "Gemeinsames Lesen",
      text: "Gleichartige Anfragen, die zugleich ankommen, teilen eine SQL-Anweisung.",
    },
    max_exports: {
      title: "Exporte zugleich",
      text: "In einem Prozess; jeder braucht eine Verbindung zur Datenbank.",
    },
    max_exports_per_user: { title: "Exporte einer Person", text: "Zugleich in einem Prozess." },
    statement_timeout_ms: {
      title: "Dauer einer Anfrage",
      text: "Eine Anweisung, die länger braucht, endet mit einem Fehler.",
    },
    export_timeout_ms: {
      title: "Dauer eines Exports",
      text: "Ein Export, der länger braucht, wird beendet.",
    },
    export_stall_ms: {
      title: "Pause des Empfängers",
      text: "Ein Export endet, wenn sein Empfänger so lange nichts abnimmt.",
    },
  },
  views: {
    refresh_timeout_ms: {
      title: "Dauer einer Aktualisierung",
      text: "Die Aktualisierung einer materialisierten Sicht, die länger braucht, wird beendet.",
    },
  },
  limits: {
    body_bytes: {
      title: "Größe einer Anfrage",
      text: "So groß darf der Inhalt einer Anfrage höchstens sein.",
    },
    import_bytes: {
      title: "Größe eines Imports",
      text: "So groß darf eine importierte Datei sein.",
    },
    import_rows: { title: "Zeilen eines Imports", text: "So viele Zeilen darf ein Import haben." },
    imports_at_once: {
      title: "Importe zugleich",
      text: "In einem Prozess; jeder braucht eine Verbindung zur Datenbank.",
    },
    imports_per_user: { title: "Importe einer Person", text: "Zugleich in einem Prozess." },
    import_timeout_ms: {
      title: "Dauer eines Imports",
      text: "Einschließlich Hochladen; ein Import, der länger braucht, wird beendet.",
    },
    import_stall_ms: {
      title: "Pause des Absenders",
      text: "Ein Import endet, wenn sein Absender so lange nichts sendet.",
    },
  },
  files: {
    max_bytes: { title: "Größe einer Datei", text: "So groß darf eine Datei sein." },
    max_bytes_per_user: {
      title: "Speicher einer Person",
      text: "Alle Dateien, die eine Person hochgeladen hat; 0 für keine Grenze.",
    },
    max_bytes_total: { title: "Speicher aller Dateien", text: "0 für keine Grenze." },
    allowed_types: {
      title: "Arten von Dateien",
      text: "Medientypen wie application/pdf oder image/*. Ohne Einträge sind alle erlaubt.",
    },
    max_uploads_per_user: { title: "Uploads einer Person", text: "Zugleich empfangen." },
    upload_lifetime_hours: {
      title: "Frist für unvollständige Uploads",
      text: "Danach werden sie gelöscht.",
    },
    upload_stall_ms: {
      title: "Pause eines Uploads",
      text: "Ein Upload wird unterbrochen, wenn sein Absender so lange nichts sendet.",
    },
    public_url: {
      title: "Adresse der Dateien",
      text: "Links zu Dateien beginnen damit, wenn Dateien einen eigenen Ursprung haben.",
    },
    link_max_lifetime_seconds: {
      title: "Gültigkeit eines Links auf eine Datei",
      text: "Die längste, die eine Anwendung verlangen kann. So lange zeigt ein Browser ein Bild vielleicht noch, wenn das Recht endet.",
    },
    scan_url: {
      title: "Virenprüfung",
      text: "Sie muss jede neue Datei freigeben: http(s):// für einen Dienst oder clamd://host:port. Ohne Adresse wird keine Datei geprüft.",
    },
    image_presets: {
      title: "Größen von Bildern",
      text: "Formen, in denen Bilder abgerufen werden können; je Zeile ein JSON-Objekt.",
    },
    image_pixels_max: {
      title: "Bildpunkte eines Bilds",
      text: "Ein Bild mit mehr wird nicht umgewandelt.",
    },
  },
  mcp: {
    enabled: { title: "MCP-Server", text: "Agenten können sich verbinden." },
    access: {
      title: "Zugriff der Agenten",
      text: "Agenten dürfen nur lesen oder auch Zeilen anlegen und ändern.",
    },
    allow_deletes: {
      title: "Löschen durch Agenten",
      text: "Agenten dürfen Zeilen löschen, sofern sie auch schreiben dürfen.",
    },
    allow_workflows: {
      title: "Workflows der Agenten",
      text: "Agenten dürfen Workflows starten, die als Werkzeug gekennzeichnet sind.",
    },
    allow_sql: {
      title: "SQL der Agenten",
      text: "Agenten mit einem Token der Verwaltung dürfen SQL ausführen, sofern die SQL-Konsole Tokens zulässt.",
    },
    oauth: {
      title: "Verbindung über OAuth",
      text: "Personen können Programme ohne eigenes Token verbinden.",
    },
    dynamic_registration: {
      title: "Registrierung von Programmen",
      text: "Unbekannte Programme dürfen sich selbst registrieren.",
    },
    client_hosts: {
      title: "Interne Programme",
      text: "Rechner von Programmen mit nicht öffentlichen Adressen, deren Dokumente gelesen werden dürfen: ein Name, auch mit Port.",
    },
    max_result_bytes: {
      title: "Größe eines Ergebnisses",
      text: "So viel gibt ein Werkzeug einem Agenten höchstens zurück.",
    },
    call_retention_days: {
      title: "Aufbewahrung der Aufrufe",
      text: "Aufrufe von Agenten werden nach dieser Zeit gelöscht.",
    },
  },
  configuration: {
    allow_sql: {
      title: "Dateien mit SQL durch Tokens",
      text: "Tokens der Verwaltung dürfen Dateien der Konfiguration mit SQL anwenden. Das ist so mächtig wie die SQL-Konsole für Tokens.",
    },
  },
  sql_console: {
    allow_api_tokens: {
      title: "SQL mit Tokens",
      text: "Die SQL-Konsole nimmt Tokens der Verwaltung an.",
    },
    default_rows: { title: "Zeilen eines Ergebnisses", text: "Wenn ein Lauf keine Zahl nennt." },
    max_rows: {
      title: "Höchstzahl der Zeilen eines Ergebnisses",
      text: "Die höchste Zahl, die ein Lauf nennen darf.",
    },
    max_bytes: {
      title: "Größe aller Ergebnisse",
      text: "So groß dürfen die Ergebnisse eines Laufs sein.",
    },
    default_timeout_ms: { title: "Dauer eines Laufs", text: "Wenn der Lauf keine nennt." },
    max_timeout_ms: {
      title: "Längste Dauer eines Laufs",
      text: "Die längste Dauer, die ein Lauf nennen darf.",
    },
    max_runs: {
      title: "Läufe zugleich",
      text: "Über alle Prozesse; 0 schaltet die SQL-Konsole ab.",
    },
  },
};
