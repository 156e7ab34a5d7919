import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app/context";
import { DeviceList } from "./DeviceList";
import { Invite, inviting } from "./Invite";
import { Join, joining } from "./Join";
import { wordsIn } from "./words";

/** The one who has a code joins; everybody else may invite, join by typing a code, and see the devices. */
export default function Devices() {
  const app = useApp();
  const words = wordsIn(app.words.value.tag);
  const [news, setNews] = useState(0);
  const code = app.joinCode.value;
  useEffect(
    () => () => {
      app.joinCode.value = "";
    },
    [app],
  );
  if (code !== "") return <Join key={code} words={words} code={code} />;
  return (
    <>
      <p>{words.intro}</p>
      <Invite words={words} onJoined={() => setNews(news + 1)} />
      {(!inviting.value || joining.value !== null) && <Join words={words} code="" />}
      <DeviceList words={words} news={news} />
    </>
  );
}
