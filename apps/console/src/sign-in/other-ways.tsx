import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import type { OfferedProvider } from "./account-api.ts";

/** Links to the providers. A provider's page is another document, so these are links and no requests. */
export function OtherWays(props: {
  readonly providers: readonly OfferedProvider[];
  readonly returnTo: string;
}) {
  const t = useTranslations("signIn");
  if (props.providers.length === 0) return null;
  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-3 text-2 text-ink-2 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t("or")}
      </div>
      {props.providers.map(({ key, name }) => (
        <a
          key={key}
          href={client.auth.providerUrl(key, props.returnTo)}
          className="flex min-h-9 items-center justify-center rounded-control border border-line-strong px-3.5 py-1.5 text-center font-medium wrap-anywhere hover:bg-sunken"
        >
          {t("through", { name })}
        </a>
      ))}
    </div>
  );
}
