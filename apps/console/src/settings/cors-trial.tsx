import { useId, useState } from "react";
import { useTranslations } from "use-intl";
import { StateBadge } from "../ui/entries.tsx";
import { TextField } from "../ui/text-field.tsx";

/** Tells whether pages of an origin may call the service with the origins of the list. */
export function CorsTrial({ origins }: { readonly origins: readonly string[] }) {
  const t = useTranslations("settings.trial");
  const id = useId();
  const [origin, setOrigin] = useState("");
  const typed = origin.trim();
  const isOrigin = /^https?:\/\/[^/\s*]+$/i.test(typed);
  // A browser sends the origin in lower case and without the default port.
  const sent = isOrigin && URL.canParse(typed) ? new URL(typed).origin : typed;
  const isAllowed = origins.includes(sent);
  return (
    <section aria-labelledby={id} className="grid gap-2 px-4 py-3">
      <h3 id={id} className="font-medium">
        {t("title")}
      </h3>
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-80 min-w-0 max-w-full">
          <TextField
            label={t("origin")}
            name="origin"
            autoComplete="off"
            value={origin}
            onChange={setOrigin}
            hint={t("hint")}
          />
        </div>
        <p role="status" className="pb-6">
          {isOrigin && (
            <StateBadge look={isAllowed ? "ok" : "warn"}>
              {t(isAllowed ? "allowed" : "refused", { origin: sent })}
            </StateBadge>
          )}
        </p>
      </div>
    </section>
  );
}
