/**
 * Titles and helps of the kinds of steps and triggers in German, by the English text of the service. A text that is
 * missing here is shown in English.
 */
export const workflowKinds: Readonly<Record<string, string>> = {
  "Create a row": "Zeile anlegen",
  "Creates a row. The output is the row.": "Legt eine Zeile an. Die Ausgabe ist die Zeile.",
  Id: "Id",
  "Unique in the workflow. Later steps read the output as steps.<id>.":
    "Im Workflow eindeutig. Spätere Schritte lesen die Ausgabe als steps.<id>.",
  Schema: "Schema",
  "The schema of the table.": "Das Schema der Tabelle.",
  Table: "Tabelle",
  "The table, or the view.": "Die Tabelle oder die Sicht.",
  Values: "Werte",
  "The value of each column. A text may contain templates.":
    "Der Wert jeder Spalte. Ein Text darf Vorlagen enthalten.",
  Retries: "Wiederholungen",
  "How often the step is tried again after a failure.":
    "Wie oft der Schritt nach einem Fehler wiederholt wird.",
  Attempts: "Versuche",
  "Number of attempts, the first included.": "Zahl der Versuche, den ersten eingeschlossen.",
  "First pause": "Erste Pause",
  "The pause before the second attempt.": "Die Pause vor dem zweiten Versuch.",
  Backoff: "Verlauf der Pausen",
  "Exponential doubles each pause; fixed keeps it.":
    "Exponentiell verdoppelt jede Pause, gleichbleibend behält sie bei.",
  "Longest pause": "Längste Pause",
  "No pause is longer than this.": "Keine Pause ist länger.",
  "Time limit": "Zeitgrenze",
  "The time limit of one attempt. An attempt that takes longer fails.":
    "Die Zeitgrenze eines Versuchs. Ein Versuch, der länger dauert, schlägt fehl.",
  "If it fails": "Bei einem Fehler",
  "Ends the run, continues with the next step, or runs other steps first.":
    "Beendet den Lauf, fährt mit dem nächsten Schritt fort oder führt zuerst andere Schritte aus.",
  "The steps that run if this step fails.":
    "Die Schritte, die ausgeführt werden, wenn dieser Schritt fehlschlägt.",
  Note: "Notiz",
  "A text for those who read the workflow. Runs do not use it.":
    "Ein Text für alle, die den Workflow lesen. Läufe verwenden ihn nicht.",
  Disabled: "Ausgeschaltet",
  "Runs pass over it and its inner steps; its output is null.":
    "Läufe übergehen ihn und seine inneren Schritte; seine Ausgabe ist null.",
  "List rows": "Zeilen lesen",
  "Reads rows. The output is the list of rows.":
    "Liest Zeilen. Die Ausgabe ist die Liste der Zeilen.",
  Fields: "Felder",
  "Columns and related rows to read, separated by commas or as a list; by default all columns.":
    "Spalten und verknüpfte Zeilen, durch Kommas getrennt oder als Liste; ohne Angabe alle Spalten.",
  Filter: "Filter",
  "The rows to read; by default all rows.": "Die Zeilen, die gelesen werden; ohne Angabe alle.",
  Order: "Reihenfolge",
  "Columns separated by commas or as a list; a minus before a column reverses its order.":
    "Spalten, durch Kommas getrennt oder als Liste; ein Minus vor einer Spalte kehrt ihre Reihenfolge um.",
  Limit: "Höchstzahl",
  "The maximum number of rows.": "Die Höchstzahl der Zeilen.",
  "Get a row": "Eine Zeile lesen",
  "Reads one row by its primary key. The output is the row; a missing row fails the step.":
    "Liest eine Zeile nach ihrem Primärschlüssel. Die Ausgabe ist die Zeile; fehlt sie, schlägt der Schritt fehl.",
  Key: "Schlüssel",
  "The value of the primary key; for a key of several columns, the list of their values.":
    "Der Wert des Primärschlüssels; bei einem Schlüssel aus mehreren Spalten die Liste ihrer Werte.",
  "Update rows": "Zeilen ändern",
  "Updates one row by its key, or the rows of a filter. The output is the row, or the list of rows.":
    "Ändert eine Zeile nach ihrem Schlüssel oder die Zeilen eines Filters. Die Ausgabe ist die Zeile oder die Liste der Zeilen.",
  "The primary key of one row. A step has either a key or a filter.":
    "Der Primärschlüssel einer Zeile. Ein Schritt hat entweder einen Schlüssel oder einen Filter.",
  "The rows to change. A step has either a key or a filter.":
    "Die Zeilen, die geändert werden. Ein Schritt hat entweder einen Schlüssel oder einen Filter.",
  "At most": "Höchstens",
  "If more rows than this match the filter, the step fails and changes nothing.":
    "Passen mehr Zeilen zum Filter, schlägt der Schritt fehl und ändert nichts.",
  "Delete rows": "Zeilen löschen",
  "Deletes one row by its key, or the rows of a filter. The output is the number of rows.":
    "Löscht eine Zeile nach ihrem Schlüssel oder die Zeilen eines Filters. Die Ausgabe ist die Zahl der Zeilen.",
  "Send a request": "Anfrage senden",
  "Sends an HTTP request. The output is its status, headers and body.":
    "Sendet eine HTTP-Anfrage. Die Ausgabe sind Status, Header und Body der Antwort.",
  Method: "Methode",
  "The method of the request.": "Die Methode der Anfrage.",
  URL: "URL",
  "Values of templates are percent-encoded. A request with a secret must begin with https://host/ or with a secret.":
    "Werte von Vorlagen werden prozentkodiert. Eine Anfrage mit einem Geheimnis muss mit https://host/ oder mit einem Geheimnis beginnen.",
  Headers: "Header",
  "The headers of the request, by name.": "Die Header der Anfrage nach Namen.",
  Query: "Parameter",
  "The parameters that are added to the URL.": "Die Parameter, die an die URL angehängt werden.",
  Authentication: "Anmeldung",
  "The credential that the request sends.": "Die Anmeldedaten, die die Anfrage sendet.",
  Token: "Token",
  "The token, usually a secret.": "Das Token, meist ein Geheimnis.",
  "Bearer token": "Bearer-Token",
  "Sends the header Authorization: Bearer.": "Sendet den Header Authorization: Bearer.",
  User: "Benutzer",
  "The name of the user.": "Der Name des Benutzers.",
  Password: "Passwort",
  "The password, usually a secret.": "Das Passwort, meist ein Geheimnis.",
  "User and password": "Benutzer und Passwort",
  "Sends the header Authorization: Basic.": "Sendet den Header Authorization: Basic.",
  Value: "Wert",
  "The key, usually a secret.": "Der Schlüssel, meist ein Geheimnis.",
  Name: "Name",
  "The name of the header.": "Der Name des Headers.",
  "Key in a header": "Schlüssel in einem Header",
  "Sends a header.": "Sendet einen Header.",
  "The name of the parameter.": "Der Name des Parameters.",
  "Key in the URL": "Schlüssel in der URL",
  "Adds a parameter to the URL.": "Hängt einen Parameter an die URL an.",
  Body: "Body",
  "The body of the request, in the encoding below.": "Der Body der Anfrage, wie unten kodiert.",
  "Encoding of the body": "Kodierung des Bodys",
  "JSON, a form (an object), or plain text.": "JSON, ein Formular (ein Objekt) oder reiner Text.",
  "Largest response": "Größte Antwort",
  "Response as": "Antwort als",
  "JSON or text by the type of the response, or its bytes in base64, which a later step can store as a file.":
    "JSON oder Text nach dem Typ der Antwort, oder ihre Bytes in Base64, die ein späterer Schritt als Datei speichern kann.",
  "In bytes, after decompression. A larger response fails the step.":
    "In Bytes, entpackt. Bei einer größeren Antwort schlägt der Schritt fehl.",
  "Fail on an error status": "Bei einem Fehlerstatus fehlschlagen",
  "Whether a status of 400 or more fails the step.":
    "Ob der Schritt bei einem Status ab 400 fehlschlägt.",
  "May be repeated": "Darf wiederholt werden",
  "Whether the request may be sent again if the outcome of an attempt is unknown. By default all methods but POST and PATCH.":
    "Ob die Anfrage noch einmal gesendet werden darf, wenn der Ausgang eines Versuchs unbekannt ist. Ohne Angabe alle Methoden außer POST und PATCH.",
  Redirects: "Weiterleitungen",
  "How many redirects are followed; 0 returns the redirect itself.":
    "Wie vielen Weiterleitungen gefolgt wird; 0 liefert die Weiterleitung selbst.",
  Statuses: "Status",
  "Statuses of the response that are tried again.":
    "Status der Antwort, nach denen es noch einmal versucht wird.",
  "Send a mail": "Mail senden",
  "Adds one mail for each recipient to the outbox.":
    "Legt für jeden Empfänger eine Mail in den Postausgang.",
  To: "An",
  "An address, or a list of addresses. Each gets a mail of its own.":
    "Eine Adresse oder eine Liste von Adressen. Jede erhält eine eigene Mail.",
  Subject: "Betreff",
  "The subject of the mail.": "Der Betreff der Mail.",
  Text: "Text",
  "The mail as plain text.": "Die Mail als reiner Text.",
  HTML: "HTML",
  "The mail as HTML, besides the plain text.": "Die Mail als HTML, neben dem reinen Text.",
  Attachments: "Anhänge",
  "Ids of files, or a template that yields one or a list of them.":
    "Ids von Dateien oder eine Vorlage, die eine oder eine Liste davon ergibt.",
  "Make a document": "Dokument erstellen",
  "Makes a file of a template and values. The output is the row of the file.":
    "Erstellt aus einer Vorlage und Werten eine Datei. Die Ausgabe ist die Zeile der Datei.",
  Template: "Vorlage",
  "The key of the document's template.": "Der Schlüssel der Vorlage des Dokuments.",
  Language: "Sprache",
  "Selects the template by language; otherwise English.":
    "Wählt die Vorlage nach der Sprache, sonst Englisch.",
  Data: "Daten",
  "The values that the template can show, by name.":
    "Die Werte, die die Vorlage zeigen kann, nach Namen.",
  "As PDF": "Als PDF",
  "Whether the HTML of the template becomes a PDF file.":
    "Ob aus dem HTML der Vorlage eine PDF-Datei wird.",
  "File name": "Dateiname",
  "The name of the new file, with its extension.": "Der Name der neuen Datei mit ihrer Endung.",
  Title: "Titel",
  "The title of the file.": "Der Titel der Datei.",
  Description: "Beschreibung",
  "The description of the file.": "Die Beschreibung der Datei.",
  Folder: "Ordner",
  "The folder of the file; by default none.": "Der Ordner der Datei; ohne Angabe keiner.",
  Visibility: "Sichtbarkeit",
  "A public file can be read without a sign-in.":
    "Eine öffentliche Datei kann ohne Anmeldung gelesen werden.",
  "Read a file": "Datei lesen",
  "Reads a file. The output is its name, type, size and content.":
    "Liest eine Datei. Die Ausgabe sind Name, Typ, Größe und Inhalt.",
  File: "Datei",
  "The id of the file.": "Die Id der Datei.",
  "Read as": "Lesen als",
  "How the content is returned.": "Wie der Inhalt geliefert wird.",
  "Largest file": "Größte Datei",
  "In bytes. A larger file fails the step.":
    "In Bytes. Bei einer größeren Datei schlägt der Schritt fehl.",
  "Store a file": "Datei speichern",
  "Stores a new file. The output is the row of the file.":
    "Speichert eine neue Datei. Die Ausgabe ist die Zeile der Datei.",
  Content: "Inhalt",
  "The content of the file.": "Der Inhalt der Datei.",
  Encoding: "Kodierung",
  "Whether the content is text or base64.": "Ob der Inhalt Text oder Base64 ist.",
  Type: "Typ",
  "The type that the sender names; the type of the file is found in its bytes.":
    "Der Typ, den der Absender nennt; der Typ der Datei wird aus ihren Bytes bestimmt.",
  "Run another workflow": "Anderen Workflow ausführen",
  "Runs the published version of another workflow as the same user. The output is the result of that run.":
    "Führt die veröffentlichte Version eines anderen Workflows als derselbe Benutzer aus. Die Ausgabe ist das Ergebnis jenes Laufs.",
  Workflow: "Workflow",
  "The slug of the other workflow.": "Das Kürzel des anderen Workflows.",
  Input: "Eingabe",
  "The start.data of the other run.": "start.data des anderen Laufs.",
  "Wait for its end": "Auf sein Ende warten",
  "Whether this run waits for the end of the other run.":
    "Ob dieser Lauf auf das Ende des anderen wartet.",
  Wait: "Warten",
  "Waits for a time, or until a moment. No worker is occupied meanwhile.":
    "Wartet eine Zeit lang oder bis zu einem Zeitpunkt. Kein Worker ist dabei belegt.",
  Seconds: "Sekunden",
  "How long the run waits: a number, or a template that yields one. A delay has either seconds or a moment.":
    "Wie lange der Lauf wartet: eine Zahl oder eine Vorlage, die eine ergibt. Entweder Sekunden oder ein Zeitpunkt.",
  Until: "Bis",
  "The moment when the run continues: an ISO 8601 timestamp.":
    "Der Zeitpunkt, an dem der Lauf weitergeht: ein Zeitstempel nach ISO 8601.",
  "Set values": "Werte setzen",
  "Stores values that later steps read as vars.<name>.":
    "Merkt sich Werte, die spätere Schritte als vars.<name> lesen.",
  "The value of each name. Later steps read them as vars.<name>.":
    "Der Wert zu jedem Namen. Spätere Schritte lesen sie als vars.<name>.",
  Fail: "Fehlschlagen",
  "Ends the run as failed.": "Beendet den Lauf als fehlgeschlagen.",
  Code: "Code",
  "The code of the error, in upper-case letters, digits and _.":
    "Der Code des Fehlers: Großbuchstaben, Ziffern und _.",
  Message: "Meldung",
  "The message of the error.": "Die Meldung des Fehlers.",
  Finish: "Beenden",
  "Ends the run as succeeded.": "Beendet den Lauf als erfolgreich.",
  Result: "Ergebnis",
  "The result of the run, which a synchronous call returns.":
    "Das Ergebnis des Laufs, das ein synchroner Aufruf erhält.",
  Branch: "Verzweigen",
  "Runs one of two lists of steps, depending on a condition.":
    "Führt je nach Bedingung eine von zwei Listen von Schritten aus.",
  Condition: "Bedingung",
  "A CEL expression that yields true or false.": "Ein CEL-Ausdruck, der wahr oder falsch ergibt.",
  "If true": "Wenn wahr",
  "The steps that run if it is true.": "Die Schritte, wenn sie wahr ist.",
  "If false": "Wenn falsch",
  "The steps that run if it is false.": "Die Schritte, wenn sie falsch ist.",
  Switch: "Fälle unterscheiden",
  "Runs the steps of the first case that equals a value.":
    "Führt die Schritte des ersten Falls aus, der einem Wert gleicht.",
  "The value to compare, usually a template.": "Der Wert, der verglichen wird, meist eine Vorlage.",
  Equals: "Gleich",
  "A text, a number, true, false or null.": "Ein Text, eine Zahl, wahr, falsch oder null.",
  Case: "Fall",
  "The steps that run for this value.": "Die Schritte für diesen Wert.",
  Cases: "Fälle",
  "The values, each with its steps; the first match runs.":
    "Die Werte, jeder mit seinen Schritten; der erste passende gilt.",
  Otherwise: "Sonst",
  "The steps that run if no case matches.": "Die Schritte, wenn kein Fall passt.",
  Loop: "Schleife",
  "Runs its steps for each item of a list. The output is the list of the last outputs.":
    "Führt seine Schritte für jedes Element einer Liste aus. Die Ausgabe ist die Liste der letzten Ausgaben.",
  Items: "Elemente",
  "A list, or a template that yields one.": "Eine Liste oder eine Vorlage, die eine ergibt.",
  "At once": "Gleichzeitig",
  "How many items are in progress at once.": "Wie viele Elemente gleichzeitig in Arbeit sind.",
  "For each item": "Für jedes Element",
  "The steps that run for each item.": "Die Schritte für jedes Element.",
  Webhook: "Webhook",
  "A run starts on an HTTP call.": "Ein Lauf beginnt mit einem HTTP-Aufruf.",
  "The method of the calls.": "Die Methode der Aufrufe.",
  Response: "Antwort",
  "Synchronous: the response has the result of the run. Asynchronous: it has the id of the run, at once.":
    "Synchron: Die Antwort enthält das Ergebnis des Laufs. Asynchron: Sie enthält sofort die Id des Laufs.",
  "Longest wait": "Längste Wartezeit",
  "How long a synchronous call waits for the result.":
    "Wie lange ein synchroner Aufruf auf das Ergebnis wartet.",
  "After the wait": "Nach der Wartezeit",
  "Whether the run continues in the background or is canceled.":
    "Ob der Lauf im Hintergrund weitergeht oder abgebrochen wird.",
  Access: "Zugriff",
  "Public: anyone may call. Authenticated: users with a role that may start the workflow.":
    "Öffentlich: Alle dürfen aufrufen. Angemeldet: Benutzer mit einer Rolle, die den Workflow starten darf.",
  "Run as": "Ausführen als",
  "The user whose rights the steps of a run have. Null: the caller. A public webhook requires a user.":
    "Der Benutzer, dessen Rechte die Schritte eines Laufs haben. Null: wer aufruft. Ein öffentlicher Webhook braucht einen Benutzer.",
  "The user whose rights the steps of a run have.":
    "Der Benutzer, dessen Rechte die Schritte eines Laufs haben.",
  "Redacted headers": "Geschwärzte Header",
  "Headers that are never stored, besides authorization, proxy-authorization and cookie.":
    "Header, die nie gespeichert werden, neben authorization, proxy-authorization und cookie.",
  "Redacted parameters": "Geschwärzte Parameter",
  "Parameters of the query that are never stored.":
    "Parameter der URL, die nie gespeichert werden.",
  "Redacted parts of the body": "Geschwärzte Teile des Bodys",
  "JSON pointers to parts that are never stored; * stands for every item and every key.":
    "JSON-Pointer auf Teile, die nie gespeichert werden; * steht für jedes Element und jeden Schlüssel.",
  Signature: "Signatur",
  "How callers sign their requests. Null: no signature.":
    "Wie Aufrufer ihre Anfragen signieren. Null: keine Signatur.",
  "Tool for agents": "Werkzeug für Agenten",
  "Agents with a role that may start the workflow find it over MCP and run it. By default it is no tool.":
    "Agenten mit einer Rolle, die den Workflow starten darf, finden ihn über MCP und führen ihn aus. Standardmäßig ist er kein Werkzeug.",
  "What the workflow does, in one or two sentences.":
    "Was der Workflow tut, in ein oder zwei Sätzen.",
  "The JSON Schema of the body that an agent sends; every object is closed. By default no input.":
    "Das JSON-Schema des Bodys, den ein Agent sendet; jedes Objekt ist geschlossen. Standardmäßig keine Eingabe.",
  Header: "Header",
  "The header that has the digest.": "Der Header mit dem Prüfwert.",
  Prefix: "Präfix",
  "The text before the digest, such as sha256=.": "Der Text vor dem Prüfwert, etwa sha256=.",
  "The encoding of the digest.": "Die Kodierung des Prüfwerts.",
  Secret: "Geheimnis",
  "The name of a secret.": "Der Name eines Geheimnisses.",
  Secrets: "Geheimnisse",
  "A signature by any of them is valid: several during a rotation.":
    "Eine Signatur mit einem von ihnen ist gültig: mehrere während eines Wechsels.",
  HMAC: "HMAC",
  "HMAC with SHA-256 over the body, in a header.":
    "HMAC mit SHA-256 über den Body, in einem Header.",
  GitHub: "GitHub",
  "X-Hub-Signature-256, as GitHub signs.": "X-Hub-Signature-256, wie GitHub signiert.",
  "Maximum age": "Höchstalter",
  "The maximum age of a call.": "Das Höchstalter eines Aufrufs.",
  Stripe: "Stripe",
  "Stripe-Signature, as Stripe signs.": "Stripe-Signature, wie Stripe signiert.",
  "Standard Webhooks": "Standard Webhooks",
  "webhook-signature, by standardwebhooks.com.": "webhook-signature nach standardwebhooks.com.",
  Schedule: "Zeitplan",
  "A run starts at each moment of a schedule.":
    "Ein Lauf beginnt zu jedem Zeitpunkt eines Zeitplans.",
  "Five fields: minute, hour, day of the month, month, day of the week.":
    "Fünf Felder: Minute, Stunde, Tag im Monat, Monat, Wochentag.",
  "Time zone": "Zeitzone",
  "The time zone of the schedule: an IANA name.": "Die Zeitzone des Zeitplans: ein Name der IANA.",
  Overlap: "Überschneidung",
  "Whether a run starts while the run of the previous moment is open.":
    "Ob ein Lauf beginnt, während der Lauf des vorigen Zeitpunkts offen ist.",
  "Catch up": "Nachholen",
  "Which moments get a run after a time without a worker.":
    "Welche Zeitpunkte nach einer Zeit ohne Worker einen Lauf erhalten.",
  "Database event": "Datenbankereignis",
  "A run starts on each change of a row.": "Ein Lauf beginnt mit jeder Änderung einer Zeile.",
  "The table whose rows are watched.": "Die Tabelle, deren Zeilen beobachtet werden.",
  On: "Bei",
  "The changes that start a run.": "Die Änderungen, die einen Lauf starten.",
  "Changed fields": "Geänderte Felder",
  "An update starts a run only if one of these fields differs; by default any field.":
    "Eine Änderung startet nur dann einen Lauf, wenn sich eines dieser Felder unterscheidet; ohne Angabe irgendeines.",
  "A CEL expression over start; by default every change.":
    "Ein CEL-Ausdruck über start; ohne Angabe jede Änderung.",
  "By hand": "Von Hand",
  "An administrator starts a run, with any input.":
    "Ein Administrator startet einen Lauf mit beliebiger Eingabe.",
  "From the first claim of a run to its end, waiting included. A run that takes longer fails.":
    "Vom Beginn eines Laufs bis zu seinem Ende, Warten eingeschlossen. Ein Lauf, der länger dauert, schlägt fehl.",
  "Runs at once": "Läufe gleichzeitig",
  "The maximum number of runs in progress, parked ones excluded. Null: no limit.":
    "Die Höchstzahl gleichzeitiger Läufe, geparkte ausgenommen. Null: keine Grenze.",
  Priority: "Priorität",
  "The order of runs that wait for a worker.":
    "Die Reihenfolge der Läufe, die auf einen Worker warten.",
};
