import { RowhouseError } from "@rowhouse/client";
import { useTranslations } from "use-intl";

const known = [
  "NETWORK_ERROR",
  "INVALID_CREDENTIALS",
  "EMAIL_NOT_VERIFIED",
  "SERVICE_UNAVAILABLE",
  "QUERY_TIMEOUT",
  "ACTION_DENIED",
] as const;

/** Returns the words for a failed request. A code without words of its own shows the sentence of the service. */
export function useFailureText(): (error: unknown) => string {
  const t = useTranslations("errors");
  return (error) => {
    if (!(error instanceof RowhouseError)) return t("UNEXPECTED");
    if (error.code === "RATE_LIMIT_EXCEEDED") {
      return t("RATE_LIMIT_EXCEEDED", { seconds: Math.ceil(error.retryAfterSeconds ?? 60) });
    }
    const code = known.find((one) => one === error.code);
    if (code !== undefined) return t(code);
    return error.status >= 500 ? t("UNEXPECTED") : error.message;
  };
}
