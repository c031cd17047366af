import { type Fault, RowhouseError } from "@rowhouse/client";
import { useTranslations } from "use-intl";
import { useFailureText } from "../../shell/failure-text.ts";
import { titleOf } from "./resource.ts";

type Named = { readonly name: string; readonly label: string | null };

/** A fault of the service, as its error has it or a page has kept it. */
export type ShownFault = Pick<Fault, "code" | "message" | "details">;

const checkForm = /^The check of .+ failed$/;

/**
 * Returns the sentence for a fault of a row in the person's language; that of the service if it has no other.
 *
 * @param columns of the table, for their labels
 */
export function useFaultText(): (fault: ShownFault, columns?: readonly Named[]) => string {
  const t = useTranslations("grid.violation");
  return ({ code, message, details = {} }, columns = []) => {
    const { reason, count, key, title, candidates, matches } = details;
    const table = typeof details.label === "string" ? details.label : undefined;
    switch (reason) {
      case "MISSING":
        if (table === undefined) return t("missing");
        return typeof key === "string"
          ? t("missingKey", { table, key })
          : t("missingIn", { table });
      case "IN_USE":
        if (table === undefined) return t("inUse");
        return typeof count === "number"
          ? t("inUseCount", { table, count })
          : t("inUseBy", { table });
      case "UNKNOWN_TITLE":
        return t("unknownTitle", { table: table ?? "", title: String(title) });
      case "OTHER_TITLE":
        return t("otherTitle", { table: table ?? "", title: String(title) });
      case "AMBIGUOUS_TITLE": {
        const keys = Array.isArray(candidates) ? candidates.map((each) => String(each)) : [];
        const more = Number(matches) > keys.length ? ", …" : "";
        const shown = { table: table ?? "", title: String(title), count: Number(matches) };
        return t("ambiguousTitle", { ...shown, keys: `${keys.join(", ")}${more}` });
      }
      default:
    }
    if (code !== "CHECK_VIOLATION" || !checkForm.test(message)) return message;
    const names = Array.isArray(details.fields) ? details.fields.map(String) : [];
    const labels = names.map((name) => {
      const column = columns.find((each) => each.name === name);
      return column === undefined ? name : titleOf(column);
    });
    return labels.length > 1 ? t("checkOf", { names: labels.join(", ") }) : t("check");
  };
}

/** Returns the words for a failed request for rows; those of its fault if it has some. */
export function useRowFailureText(): (error: unknown, columns?: readonly Named[]) => string {
  const describe = useFailureText();
  const textOf = useFaultText();
  return (error, columns) => {
    if (!(error instanceof RowhouseError)) return describe(error);
    const [fault] = error.faults;
    const text = textOf(fault, columns);
    return text === fault.message ? describe(error) : text;
  };
}
