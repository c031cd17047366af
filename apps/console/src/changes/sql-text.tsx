import { Fragment } from "react";

const keywords =
  /\b(alter|add|as|by|cascade|check|column|comment|concurrently|constraint|create|default|delete|drop|exclusive|foreign|from|generated|identity|in|index|is|key|lock|mode|not|null|on|only|primary|references|refresh|rename|schema|select|set|table|to|type|unique|using|view|where|materialized|always|access|share|row|replace|extension|version|function|procedure|returns|return|language|security|definer|policy|trigger|domain|sequence|partition|group|order|enable|disable|level|before|after|each|execute|or|and)\b|("(?:[^"]|"")*"|'(?:[^']|'')*')/gi;

/** Statements with their keywords in color; names and texts in quotes stay as they are. */
export function SqlText({ statements }: { readonly statements: readonly string[] }) {
  return (
    <pre className="overflow-x-auto rounded-control border border-line bg-surface p-3 font-mono text-2 leading-5 whitespace-pre-wrap wrap-anywhere">
      <code>{statements.map((sql) => `${sql};`).map(colored)}</code>
    </pre>
  );
}

function colored(sql: string, number: number) {
  const parts: { readonly at: number; readonly text: string; readonly isKeyword: boolean }[] = [];
  let end = 0;
  for (const match of sql.matchAll(keywords)) {
    parts.push({ at: end, text: sql.slice(end, match.index), isKeyword: false });
    parts.push({ at: match.index, text: match[0], isKeyword: match[1] !== undefined });
    end = match.index + match[0].length;
  }
  parts.push({ at: end, text: sql.slice(end), isKeyword: false });
  return (
    // Statements have an order and no other identity.
    <Fragment key={String(number)}>
      {number > 0 && "\n"}
      {parts.map(({ at, text, isKeyword }) =>
        isKeyword ? (
          <span key={`${at} ${text}`} className="text-tone-blue">
            {text}
          </span>
        ) : (
          <Fragment key={`${at} ${text}`}>{text}</Fragment>
        ),
      )}
    </Fragment>
  );
}
