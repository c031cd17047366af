import { RowhouseError } from "@rowhouse/client";
import { useTranslations } from "use-intl";
import { useFailureText } from "../shell/failure-text.ts";
import { Notice } from "../ui/notice.tsx";
import type { SqlFault } from "./run-request.ts";

const own = ["SESSION_REQUIRED", "SQL_CANCELLED", "QUERY_TIMEOUT"] as const;

/** Why a run has failed. A fault of a statement has PostgreSQL's words, with the number of the statement. */
export function RunFailure(props: {
  readonly error: unknown;
  readonly fault: SqlFault | undefined;
}) {
  const t = useTranslations("sql");
  const describe = useFailureText();
  const { error, fault } = props;
  if (fault === undefined) {
    if (error instanceof DOMException) {
      return <Notice kind="info">{t("failure.SQL_CANCELLED")}</Notice>;
    }
    const code = error instanceof RowhouseError ? error.code : undefined;
    const known = own.find((one) => one === code);
    if (known === "SQL_CANCELLED") return <Notice kind="info">{t(`failure.${known}`)}</Notice>;
    if (known !== undefined) return <Notice kind="danger">{t(`failure.${known}`)}</Notice>;
    // An administrator can mend why the console is not available.
    const isReason = error instanceof RowhouseError && code === "SERVICE_UNAVAILABLE";
    return <Notice kind="danger">{isReason ? error.message : describe(error)}</Notice>;
  }
  const facts = [
    { name: t("detail"), text: fault.detail },
    { name: t("hint"), text: fault.hint },
    { name: "SQLSTATE", text: fault.sqlState },
  ];
  return (
    <Notice kind="danger">
      <p className="font-medium">
        {fault.statement === undefined
          ? fault.message
          : t("failedStatement", { number: fault.statement, message: fault.message })}
      </p>
      {facts.map(
        ({ name, text }) =>
          text !== undefined && (
            <p key={name} lang="en">
              {name}: {text}
            </p>
          ),
      )}
      <p>{t("rolledBack")}</p>
    </Notice>
  );
}
