cask "footnote" do
  version "{{.Version}}"
  sha256 "{{sum "Footnote_VERSION_macos_universal.dmg"}}"

  url "{{url "Footnote_VERSION_macos_universal.dmg"}}"
  name "Footnote"
  desc "Answers from your files and the web, each with its footnote"
  homepage "{{.Homepage}}"

  depends_on macos: ">= :monterey"

  app "Footnote.app"
  binary "#{appdir}/Footnote.app/Contents/MacOS/footnote"
end
