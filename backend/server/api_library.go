package server

// libraryOperations are the reader's files.
func libraryOperations() []operation {
	return []operation{
		op("POST /api/library", "Adds files and folders, which are read in place.", takes[AddRequest](`{"paths":["/home/ann/Documents"],"watch":true}`, "paths"), gives[AddView](202)),
		op("POST /api/library/uploads", "Takes files, each in a part named file, and keeps them in the data folder.", takesUpload(), gives[uploads](202)),
		op("GET /api/library", "What the library holds and how far the work is.", gives[LibraryView](200)),
		op("GET /api/library/files", "Lists files.", asks("q", "In their paths"), asks("status", "Of this status"), asks("root", "Below this root; files: those added by themselves"), paged(), gives[Page[FileView]](200)),
		op("GET /api/library/files/{id}", "A file.", gives[FileView](200)),
		op("GET /api/library/files/{id}/why", "Why a file is found for a question, or not.", asks("q", "The question"), gives[WhyView](200)),
		op("POST /api/library/rescan", "Reads again what has changed.", takes[rescanned](`{"ids":[]}`), gives[map[string]bool](202)),
		op("DELETE /api/library/{id}", "Forgets a file or a root; the files themselves stay.", nothing()),
		op("GET /api/library/search", "Finds passages by words.", asks("q", "The words"), asks("limit", "How many, 1 to 100"), gives[SearchView](200)),
		op("GET /api/library/count", "Counts the files that mention something, exactly.", asks("q", "What"), asks("by", "file, folder or type"), gives[CountView](200)),
		op("GET /api/library/events", "What happens in the library: replay, then live.", asks("after", "The number of the last event that was seen"), streams()),
		op("GET /api/collections", "Lists named sets of files and folders.", gives[Page[CollectionView]](200)),
		op("POST /api/collections", "Makes a collection.", takes[CollectionChange](`{"name":"Bridges","files":[],"folders":["/home/ann/Bridges"]}`, "name"), gives[CollectionView](201)),
		op("GET /api/collections/{id}", "A collection.", gives[CollectionView](200)),
		op("POST /api/collections/{id}", "Gives a collection another name or other members.", takes[CollectionChange](`{"name":"Old bridges"}`), gives[CollectionView](200)),
		op("DELETE /api/collections/{id}", "Forgets a collection; its files stay.", nothing()),
	}
}

// takesUpload is a body of several parts.
func takesUpload() detail {
	return func(o *operation) { o.takes = &shape{media: "multipart/form-data"} }
}
