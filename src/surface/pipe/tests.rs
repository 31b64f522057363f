//! Lines as they come, and what is and is not a request.
