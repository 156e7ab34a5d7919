import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app/context";
import { Diagram } from "../board/Diagram";
import type { Language } from "../i18n/language";
import { type Block, type HelpText, SECTIONS, type SectionName } from "./pages";
import { PICTURES, type Picture, type PictureName } from "./pictures";
import "./help.css";

async function textIn(language: Language): Promise<HelpText> {
  return (language === "zh" ? await import("./text.zh") : await import("./text.en")).text;
}

export function HelpPages() {
  const app = useApp();
  const language = app.preferences.language.value;
  const [text, setText] = useState<HelpText | null>(null);
  const [section, setSection] = useState<SectionName>("play");
  useEffect(() => {
    let open = true;
    void textIn(language).then((loaded) => open && setText(loaded));
    return () => {
      open = false;
    };
  }, [language]);
  if (text === null) return <p class="note">{app.words.value.help.loading}</p>;
  return (
    <>
      <nav class="help-nav" aria-label={app.words.value.help.title}>
        {SECTIONS.map((name) => (
          <button
            key={name}
            type="button"
            class="link"
            data-help={name}
            aria-current={name === section ? "page" : undefined}
            onClick={(event) => {
              setSection(name);
              event.currentTarget.closest(".help")?.scrollTo(0, 0);
            }}
          >
            {text[name].title}
          </button>
        ))}
      </nav>
      <article class="help-text" key={section}>
        <h3 class="unseen">{text[section].title}</h3>
        {text[section].blocks.map((block, i) => (
          <BlockView key={i} block={block} />
        ))}
      </article>
    </>
  );
}

function BlockView({ block }: { block: Block }) {
  if (typeof block === "string") return <p>{block}</p>;
  if ("heading" in block) return <h4>{block.heading}</h4>;
  if ("list" in block) {
    return (
      <ul>
        {block.list.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    );
  }
  if ("question" in block) {
    return (
      <details>
        <summary>{block.question}</summary>
        {block.answer.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </details>
    );
  }
  if ("keys" in block) {
    return (
      <table class="keys">
        <tbody>
          {block.keys.map(([keys, does]) => (
            <tr key={keys}>
              <th scope="row">{keys}</th>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
    );
  }
  if ("term" in block) {
    return (
      <section class="term">
        <h4>{block.term}</h4>
        <p>{block.text}</p>
        {block.picture !== undefined && <PictureView name={block.picture} />}
      </section>
    );
  }
  return (
    <figure>
      <PictureView name={block.picture} />
      <figcaption class="note">{block.caption}</figcaption>
    </figure>
  );
}

function PictureView({ name }: { name: PictureName }) {
  const app = useApp();
  const { theme } = app.preferences.value.value;
  const { position, dice, hint }: Picture = PICTURES[name];
  return (
    <Diagram
      position={position}
      dice={dice ?? null}
      {...(hint === undefined ? {} : { hint })}
      theme={theme}
      numbers
    />
  );
}
