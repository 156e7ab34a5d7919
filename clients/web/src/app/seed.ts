/** The player's part of the dice: 32 random bytes, or SHA-256 of the player's own words. */
export async function seedFrom(words: string): Promise<Uint8Array> {
  const text = words.trim();
  // Plain http on another host than this one has no crypto.subtle: then the browser's random numbers must do.
  if (text === "" || crypto.subtle === undefined) return crypto.getRandomValues(new Uint8Array(32));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
