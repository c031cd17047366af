import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useFormatter, useLocale, useTranslations } from "use-intl";
import { client } from "../../../shell/client.ts";
import { useDelayed } from "../../../shell/use-delayed.ts";
import { type ControlProps, controlClasses, inputAttributes } from "../control-props.ts";
import { useForm } from "../form-context.ts";

const zones = Intl.supportedValuesOf("timeZone");

/** A time zone, which is found by typing a part of its name. */
export function TimeZoneControl(props: ControlProps) {
  const { field, value, onChange } = props;
  const listId = useId();
  return (
    <>
      <input
        {...inputAttributes(props)}
        list={listId}
        autoComplete="off"
        spellCheck={false}
        value={typeof value === "string" ? value : ""}
        placeholder={value === undefined ? String(field.default ?? "") : undefined}
        onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
        className={`${controlClasses} max-w-80`}
      />
      <datalist id={listId}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

/** A cron expression: its fields, what it says in words, and the next moments in its zone. */
export function CronControl(props: ControlProps) {
  const { value, onChange } = props;
  const { value: trigger } = useForm();
  const zone = trigger.timeZone;
  const cron = typeof value === "string" ? value : "";
  const timeZone = typeof zone === "string" && zones.includes(zone) ? zone : "UTC";
  return (
    <div className="grid gap-1.5">
      <input
        {...inputAttributes(props)}
        autoComplete="off"
        spellCheck={false}
        placeholder={cron === "" ? "0 6 * * 1-5" : undefined}
        value={cron}
        onChange={({ target }) => onChange(target.value)}
        className={`${controlClasses} max-w-80 font-mono text-2`}
      />
      <CronPreview
        cron={useDelayed(cron, previewDelayMs)}
        timeZone={useDelayed(timeZone, previewDelayMs)}
      />
    </div>
  );
}

const count = 10;
const previewDelayMs = 300;

function CronPreview({ cron, timeZone }: { readonly cron: string; readonly timeZone: string }) {
  const t = useTranslations("workflowForm.cron");
  const format = useFormatter();
  const locale = useLocale();
  const isWhole = cron.trim().split(/\s+/).length === 5;
  const words = useQuery({
    queryKey: ["workflow-form", "cron-words", cron, locale],
    enabled: isWhole,
    queryFn: async () => (await cronWords(cron, locale)) ?? "",
  });
  const preview = useQuery({
    queryKey: ["workflow-form", "cron", cron, timeZone],
    enabled: isWhole,
    queryFn: async ({ signal }) =>
      (
        await client.admin.post("/workflow-schedules/preview", {
          data: { cron, timeZone, count },
          signal,
        })
      ).data.moments,
  });
  if (!isWhole) return null;
  const moments = preview.data ?? [];
  return (
    <div className="grid gap-1 rounded-control bg-sunken px-3 py-2 text-2">
      <p role="status" lang={locale.startsWith("de") ? "de" : "en"} className="font-medium">
        {words.data}
      </p>
      {preview.isError && <p className="text-danger">{t("invalid")}</p>}
      {moments.length > 0 && (
        <>
          <p className="text-ink-2">{t("next", { count: moments.length, timeZone })}</p>
          <ol className="grid gap-x-6 tabular-nums sm:grid-cols-2">
            {moments.map((moment) => (
              <li key={moment}>
                <time dateTime={moment}>
                  {format.dateTime(new Date(moment), {
                    ...{ weekday: "short", day: "numeric", month: "short", year: "numeric" },
                    ...{ hour: "2-digit", minute: "2-digit", timeZone },
                  })}
                </time>
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

/** Says a cron expression in a language; undefined for a text that is none. Loads the words when they are first needed. */
async function cronWords(cron: string, locale: string): Promise<string | undefined> {
  const isGerman = locale.startsWith("de");
  const [{ default: words }] = await Promise.all([
    import("cronstrue"),
    isGerman ? import("cronstrue/locales/de.js") : undefined,
  ]);
  try {
    return words.toString(cron, {
      ...{ locale: isGerman ? "de" : "en", use24HourTimeFormat: isGerman, verbose: true },
      throwExceptionOnParseError: true,
    });
  } catch {
    return undefined;
  }
}
