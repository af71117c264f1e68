"""Writes folders of files as people have them, with questions that were written before any was asked.

    python folders.py DIR [NAME...]

Of written-folders.tar.gz, which has a script for each folder: DIR/NAME/files and
DIR/NAME/questions.jsonl, as `footnote eval ask` reads them. Those called b1 to b4 are blind:
nothing is learned from them, and nobody reads them who mends what answers. The scripts want
python-docx, openpyxl, fpdf2, reportlab and odfpy.
"""
import os
import pathlib
import sys
import tarfile


def main():
    folder, names = os.path.abspath(sys.argv[1]), sys.argv[2:]
    with tarfile.open(pathlib.Path(__file__).parent / "written-folders.tar.gz") as archive:
        for member in archive:
            name = member.name.removesuffix(".py")
            if names and name not in names:
                continue
            os.makedirs(os.path.join(folder, name, "files"), exist_ok=True)
            script = archive.extractfile(member).read().decode().replace("@DIR@", folder)
            exec(compile(script, member.name, "exec"), {"__name__": "__main__", "__file__": member.name})
            print(name)


if __name__ == "__main__":
    main()
