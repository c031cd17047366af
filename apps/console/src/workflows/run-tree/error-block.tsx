import type { ReactNode } from "react";
import { useTranslations } from "use-intl";

interface ErrorBlockProps {
  readonly error: { readonly code: string; readonly message: string };
  /** Where it is: a path of a step, and the field. */
  readonly place?: string;
  /** What mends it. */
  readonly children?: ReactNode;
}

/** Why a step or a run has failed. */
export function ErrorBlock({ error, place, children }: ErrorBlockProps) {
  const t = useTranslations("workflows");
  return (
    <section
      aria-label={t("error")}
      className="grid gap-2 border-line border-b bg-danger-soft px-4 py-3"
    >
      <p className="font-medium text-danger wrap-anywhere">
        <code className="font-mono">{error.code}</code> {place !== undefined && <bdi>{place}</bdi>}
      </p>
      <p lang="en" className="wrap-anywhere">
        {error.message}
      </p>
      {children}
    </section>
  );
}
