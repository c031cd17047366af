import { useFormatter } from "use-intl";

/** A date, or a date with its time of day, as the person's language and time zone write it; exact in its tooltip. */
export function Moment(props: { readonly at: string; readonly hasTime?: boolean }) {
  const format = useFormatter();
  const { at, hasTime = true } = props;
  return (
    <time dateTime={at} title={at}>
      {format.dateTime(new Date(at), {
        dateStyle: "medium",
        ...(hasTime ? { timeStyle: "short" } : {}),
      })}
    </time>
  );
}
