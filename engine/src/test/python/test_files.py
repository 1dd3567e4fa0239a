"""Files that the mux reads and writes for the host."""
import json
import os
import struct

from host import SharedHost


class ReadTest(SharedHost):
    def read(self, path, **more):
        frame, data = self.host.answer(self.host.ask(b"F", dict({"path": path, "limit": 1 << 30}, **more)))
        return frame.kind, json.loads(frame.payload), data

    def test_a_file_is_read_whole_with_its_size_and_real_path(self):
        content = os.urandom(3 << 20)
        os.symlink(self.path("real", content), self.path("link"))
        kind, told, data = self.read(self.path("link"))

        self.assertEqual(kind, b"g")
        self.assertEqual(data, content)
        self.assertEqual(told, {"size": len(content), "path": os.path.realpath(self.path("real"))})

    def test_a_part_is_read_and_the_size_is_of_all(self):
        kind, told, data = self.read(self.path("a", b"0123456789"), offset=3, limit=4)

        self.assertEqual((kind, data, told["size"]), (b"g", b"3456", 10))

    def test_an_offset_behind_the_end_reads_nothing(self):
        kind, told, data = self.read(self.path("a", b"0123456789"), offset=99)

        self.assertEqual((kind, data, told["size"]), (b"g", b"", 10))

    def test_a_file_that_is_not_there_is_said_with_its_name_and_code(self):
        kind, told, _data = self.read(self.path("none"))

        self.assertEqual(kind, b"!")
        self.assertEqual(told, {"error": self.path("none") + ": No such file or directory", "errno": "ENOENT"})

    def test_what_is_no_regular_file_is_refused_and_nobody_waits_for_it(self):
        os.mkfifo(self.path("fifo"))
        for path in (self.path("fifo"), self.folder, "/dev/zero"):
            with self.subTest(path):
                kind, told, _data = self.read(path)
                self.assertEqual((kind, told["errno"]), (b"!", "EINVAL"))


class WriteTest(SharedHost):
    def write(self, path, *parts, **more):
        number = self.host.ask(b"G", dict({"path": path}, **more))
        for part in parts:
            self.host.send(b"I", number, part)
        self.host.send(b"i", number)
        return number

    def told(self, number):
        frame = self.host.of(number)
        return frame.kind, json.loads(frame.payload)

    def test_a_file_is_written_in_parts_and_appears_at_the_end(self):
        self.path("a", b"old")
        number = self.host.ask(b"G", {"path": self.path("a")})
        self.host.send(b"I", number, b"first ")
        self.host.ping()
        self.assertEqual(self.content(self.path("a")), b"old")
        self.host.send(b"I", number, b"second")
        self.host.send(b"i", number)

        self.assertEqual(self.told(number), (b"g", {"path": os.path.realpath(self.path("a"))}))
        self.assertEqual(self.content(self.path("a")), b"first second")
        self.assertEqual(os.listdir(self.folder), ["a"])

    def test_an_empty_file_is_written(self):
        self.assertEqual(self.told(self.write(self.path("empty")))[0], b"g")
        self.assertEqual(self.content(self.path("empty")), b"")

    def test_folders_that_are_missing_are_made(self):
        self.assertEqual(self.told(self.write(self.path("x/y/../z/file"), b"deep"))[0], b"g")
        self.assertEqual(self.content(self.path("x/z/file")), b"deep")

    def test_the_mode_of_a_file_stays(self):
        os.chmod(self.path("program", b"old"), 0o751)
        self.told(self.write(self.path("program"), b"new"))

        self.assertEqual(os.stat(self.path("program")).st_mode & 0o7777, 0o751)
        self.assertEqual(self.content(self.path("program")), b"new")

    def test_a_link_stays_and_what_it_leads_to_is_written(self):
        os.mkdir(self.path("elsewhere"))
        os.symlink("elsewhere/file", self.path("link"))
        kind, told = self.told(self.write(self.path("link"), b"through"))

        self.assertEqual((kind, told["path"]), (b"g", os.path.realpath(self.path("elsewhere/file"))))
        self.assertTrue(os.path.islink(self.path("link")))
        self.assertEqual(self.content(self.path("elsewhere/file")), b"through")

    def test_links_in_a_circle_are_refused(self):
        os.symlink("b", self.path("a"))
        os.symlink("a", self.path("b"))
        number = self.host.ask(b"G", {"path": self.path("a")})

        self.assertEqual(self.told(number)[1]["errno"], "ELOOP")

    def test_a_folder_is_refused(self):
        number = self.host.ask(b"G", {"path": self.folder})

        self.assertEqual(self.told(number)[1]["errno"], "EISDIR")

    def test_a_file_in_the_way_is_refused(self):
        number = self.host.ask(b"G", {"path": self.path("file", b"") + "/below"})

        self.assertEqual(self.told(number)[1]["errno"], "ENOTDIR")

    def test_every_part_is_acknowledged_where_that_is_asked_for(self):
        number = self.write(self.path("a"), b"four", b"seven b", acknowledges=True)

        self.assertEqual(self.host.of(number), (b"w", number, struct.pack(">I", 4)))
        self.assertEqual(self.host.of(number), (b"w", number, struct.pack(">I", 7)))
        self.assertEqual(self.told(number)[0], b"g")

    def test_a_write_that_is_broken_off_leaves_nothing(self):
        number = self.host.ask(b"G", {"path": self.path("a")})
        self.host.send(b"I", number, b"half")
        self.host.ping()
        self.assertEqual(len(os.listdir(self.folder)), 1, "the part that has come")
        self.host.send(b"K", number, {"grace": 0})
        self.host.ping()

        self.assertEqual(os.listdir(self.folder), [])

    def test_a_held_file_tells_its_real_path_before_it_is_written(self):
        os.mkdir(self.path("real"))
        os.symlink("real", self.path("link"))
        number = self.host.ask(b"G", {"path": self.path("link/new"), "held": True})
        kind, told = self.told(number)

        self.assertEqual((kind, told["path"]), (b"g", os.path.realpath(self.path("real")) + "/new"))
        self.assertIn(os.path.realpath(os.path.expanduser("~")), told["homes"])
        self.assertEqual(os.listdir(self.path("real")), [])
        self.host.send(b"I", number, b"allowed")
        self.host.send(b"i", number)
        self.assertEqual(self.told(number)[0], b"g")
        self.assertEqual(self.content(self.path("real/new")), b"allowed")

    def test_a_folder_that_was_swapped_since_the_check_is_refused_and_neither_is_written(self):
        os.mkdir(self.path("checked"))
        os.mkdir(self.path("other"))
        number = self.host.ask(b"G", {"path": self.path("checked/new/file"), "held": True})
        self.assertEqual(self.told(number)[0], b"g")
        os.rename(self.path("checked"), self.path("moved"))
        os.symlink("other", self.path("checked"))
        self.host.send(b"I", number, b"evil")
        self.host.send(b"i", number)

        kind, told = self.told(number)
        self.assertEqual((kind, told["errno"]), (b"!", "EPERM"))
        self.assertEqual(os.listdir(self.path("other")) + os.listdir(self.path("moved")), [])

    def test_a_folder_that_is_swapped_while_it_is_written_to_is_refused(self):
        os.mkdir(self.path("checked"))
        number = self.host.ask(b"G", {"path": self.path("checked/file")})
        self.host.send(b"I", number, b"half")
        self.host.ping()
        os.rename(self.path("checked"), self.path("moved"))
        os.mkdir(self.path("checked"))
        self.host.send(b"i", number)

        kind, told = self.told(number)
        self.assertEqual((kind, told["errno"]), (b"!", "EPERM"))
        self.assertEqual(os.listdir(self.path("checked")) + os.listdir(self.path("moved")), [])

    def test_a_file_that_became_a_link_since_the_check_is_refused(self):
        precious = self.path("precious", b"kept")
        number = self.host.ask(b"G", {"path": self.path("file"), "held": True})
        self.assertEqual(self.told(number)[0], b"g")
        os.symlink(precious, self.path("file"))
        self.host.send(b"I", number, b"evil")
        self.host.send(b"i", number)

        kind, told = self.told(number)
        self.assertEqual((kind, told["errno"]), (b"!", "EPERM"))
        self.assertEqual(self.content(precious), b"kept")
        self.assertEqual(sorted(os.listdir(self.folder)), ["file", "precious"])
