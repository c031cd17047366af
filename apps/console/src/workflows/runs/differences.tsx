import { writeJson } from "@rowhouse/client";
import { useTranslations } from "use-intl";
import { diffJson } from "../run-tree/json-diff.ts";

/** More characters of a value are cut off; the whole values are above. */
const shownMax = 300;

/** The places at which two values differ, with the value of the other run and that of this one. */
export function Differences(props: {
  readonly title: string;
  readonly before: unknown;
  readonly after: unknown;
}) {
  const t = useTranslations("workflows");
  const differences = diffJson(props.before, props.after);
  if (differences.length === 0) {
    return (
      <p className="text-ink-2">
        {props.title}: {t("same")}
      </p>
    );
  }
  return (
    <table className="w-full table-fixed border-collapse text-left text-2">
      <thead className="text-ink-2">
        <tr>
          <th scope="col" className="py-1 pr-2 font-medium">
            {props.title}
          </th>
          <th scope="col" className="py-1 pr-2 font-medium">
            {t("there")}
          </th>
          <th scope="col" className="py-1 font-medium">
            {t("here")}
          </th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ path, before, after }) => (
          <tr key={path} className="border-line border-t align-top">
            <th scope="row" className="py-1 pr-2 font-normal">
              <code className="font-mono wrap-anywhere">{path === "" ? "." : path}</code>
            </th>
            <td className="py-1 pr-2">
              <Side value={before} />
            </td>
            <td className="py-1">
              <Side value={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Side({ value }: { readonly value: unknown }) {
  const t = useTranslations("workflows");
  if (value === undefined) return <span className="text-ink-3">{t("missing")}</span>;
  const text = writeJson(value);
  return (
    <code dir="auto" className="font-mono wrap-anywhere">
      {text.length > shownMax ? `${text.slice(0, shownMax)}…` : text}
    </code>
  );
}
