class Footnote < Formula
  desc "Answers from your files and the web, each with its footnote"
  homepage "{{.Homepage}}"
  version "{{.Version}}"
  license "MIT"

  on_macos do
    url "{{url "footnote_VERSION_macos_universal.tar.gz"}}"
    sha256 "{{sum "footnote_VERSION_macos_universal.tar.gz"}}"
  end

  on_linux do
    on_intel do
      url "{{url "footnote_VERSION_linux_amd64.tar.gz"}}"
      sha256 "{{sum "footnote_VERSION_linux_amd64.tar.gz"}}"
    end
    on_arm do
      url "{{url "footnote_VERSION_linux_arm64.tar.gz"}}"
      sha256 "{{sum "footnote_VERSION_linux_arm64.tar.gz"}}"
    end
  end

  def install
    bin.install "footnote"
    generate_completions_from_executable(bin/"footnote", "completion")
    system bin/"footnote", "man", man1
  end

  service do
    run [opt_bin/"footnote", "serve"]
    keep_alive crashed: true
  end

  test do
    assert_match "391", shell_output("#{bin}/footnote ask --offline --data #{testpath}/data 'What is 17 * 23?'")
  end
end
